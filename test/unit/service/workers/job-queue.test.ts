import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isConnectionError, type JobQueue, openJobQueue } from '../../../../src/service/workers/job-queue.ts'
import { exhaustedOf, queueName } from '../../../../src/service/workers/queue-name.ts'
import { type Postgres, postgresMissing, startPostgres } from '../../../support/postgres.ts'

describe.skipIf(postgresMissing !== null)(
  `a queue in PostgreSQL${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let postgres: Postgres
    let queue: JobQueue
    const errors: unknown[] = []
    beforeAll(async () => {
      postgres = await startPostgres()
      queue = await openJobQueue({ url: postgres.url, role: 'service', onError: error => errors.push(error) })
    })
    afterAll(async () => {
      await queue.close()
      await postgres.close()
    })

    test('hands over jobs that have used up their attempts a hundred at a time, each once', async () => {
      const name = queueName(randomUUID(), 'code')
      await queue.create(name, 0)
      const ids = Array.from({ length: 250 }, () => randomUUID())
      await queue.send(exhaustedOf(name), ids)
      const pages: string[][] = []
      do pages.push(await queue.exhausted(name))
      while (pages.at(-1)?.length !== 0)
      expect(pages.map(({ length }) => length)).toEqual([100, 100, 50, 0])
      expect(pages.flat().toSorted()).toEqual(ids.toSorted())
    })

    test('is reachable after a statement that is wrong, and not where PostgreSQL is gone', async () => {
      await expect(queue.send('no-such-queue', [randomUUID()])).rejects.toThrow('does not exist')
      expect(queue.isReachable()).toBe(true)
      await postgres.crash()
      await expect(queue.ping()).rejects.toThrow()
      expect(queue.isReachable()).toBe(false)
    })
  },
)

test('a queue that is gone is told from a server that is gone, as the installed library says both', async () => {
  const faultOf = (executeSql: () => Promise<{ rows: [] }>) =>
    new PgBoss({ db: { executeSql } }).insert('no-such-queue', [{ id: randomUUID() }]).catch((error: unknown) => error)
  const missing = await faultOf(() => Promise.resolve({ rows: [] }))
  expect(missing).toMatchObject({ message: 'Queue no-such-queue does not exist' })
  expect(isConnectionError(missing)).toBe(false)
  expect(isConnectionError(await faultOf(() => Promise.reject(new Error('connect ECONNREFUSED'))))).toBe(true)
})
