import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { examine } from '../../src/service/doctor/index.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { everyKill } from '../support/every-kill.ts'
import { runToEnd } from '../support/runs.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const Samples = z.array(z.object({ id: z.string(), task_id: z.string(), status: z.string(), passed: z.boolean().nullable() }))
const Interval = z.object({ low: z.number(), high: z.number() }).nullable()
/**
 * What a landed version answered about the folder that it wrote, as its own interface showed it, before it was killed in the middle of the
 * last run. The folders are of 22, 23 and 26 November 2026, without the benchmarks that the runs do not use and without hashes of tokens.
 */
const Written = z.object({
  workspace: z.string(),
  connection: z.string(),
  runs: z.array(
    z.object({
      id: z.string(),
      figures: z.array(z.object({ metric: z.string(), mean: z.number(), n: z.int(), interval: Interval })),
      samples: Samples,
    }),
  ),
  interrupted: z.object({ id: z.string(), samples: Samples }),
})

const dataOf = (name: string) => readFileSync(new URL(`./upgrade/${name}`, import.meta.url))

let models: ModelServer
beforeAll(async () => {
  models = await startModelServer({ answers: () => '#### 13' })
})
afterAll(() => models.close())

/** The folder, with its connection at the address that the endpoint has now. */
function unpack(dataDir: string, schema: number): void {
  const path = join(dataDir, 'assay.db')
  writeFileSync(path, gunzipSync(dataOf(`${schema}.db.gz`)), { mode: 0o600 })
  const db = new Sqlite(path)
  expect(db.pragma('user_version', { simple: true })).toBe(schema)
  db.prepare('update connections set base_url = ?').run(models.baseUrl)
  db.close()
}

async function figuresOf({ client }: TestService, run_id: string) {
  const { metrics } = await client.call('getRunResults', { params: { run_id } })
  return metrics.map(({ metric, estimate: { mean, n, interval } }) => ({
    metric,
    mean,
    n,
    interval: interval && { low: interval.low, high: interval.high },
  }))
}

describe('a folder that an earlier version wrote', () => {
  /** `npm run test:faults` takes each; the oldest is part of every test run. */
  test.each(everyKill ? [8, 23, 50] : [8])(
    'at schema %i has its figures and ids after the update, and its interrupted run resumes',
    async schema => {
      const written = Written.parse(JSON.parse(dataOf(`${schema}.json`).toString('utf8')))
      const folder = temporaryFolder()
      unpack(folder.path, schema)
      const asked = models.requests()
      const service = await startTestService({ dataDir: folder.path })
      const { client } = service
      try {
        expect(service.workspaceId).toBe(written.workspace)
        expect((await client.call('listConnections', {})).items.map(({ id }) => id)).toContain(written.connection)

        const last = await runToEnd(client, service.baseUrl, written.interrupted.id)
        expect(last).toMatchObject({ status: 'complete', progress: { frozen: 12, scored: 12, failed: 0, missing: 0 } })
        const answered = written.interrupted.samples.filter(({ status }) => status === 'scored').length
        expect(answered).toBeGreaterThan(0)
        expect(models.requests() - asked).toBe(last.progress.frozen - answered)

        for (const { id: run_id, samples } of [...written.runs, written.interrupted]) {
          const { items } = await client.call('listSamples', { params: { run_id } })
          for (const [position, { id, task_id, status, passed }] of samples.entries()) {
            const sample = await client.call('getSample', { params: { run_id, sample_id: id } })
            expect(sample).toMatchObject({ task_id, position, ...(status === 'scored' ? { status, passed } : { status: 'scored' }) })
            expect(items[position]).toMatchObject({ id: sample.id, task_id })
          }
        }
        for (const { id, figures } of written.runs) expect(await figuresOf(service, id)).toEqual(figures)
        expect((await client.call('listRuns', {})).items.map(({ id }) => id)).toEqual(
          expect.arrayContaining(written.runs.map(({ id }) => id)),
        )
      } finally {
        await service.close()
      }
      const { findings } = examine({ dataDir: folder.path, backup: false, now: new Date() })
      expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
      folder.remove()
    },
  )
})
