import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf } from '../../lib/message-of.ts'
import { exhaustedOf } from './queue-name.ts'

/** A job that a worker holds: a batch of the service's, and which attempt at it this is. */
export interface HeldJob {
  readonly id: string
  readonly attempt: number
}

/** Queues in PostgreSQL. A job is the id of a batch and nothing else: no prompts, no outputs, no secrets. */
export interface JobQueue {
  /**
   * Makes a queue that is missing. The jobs of one that is there are those of an earlier start: they are dropped, and whoever holds one
   * finds out at the next renewal, and ends the call that it is making.
   * @param retries attempts after the first; a job that has used them up is done by the service itself
   */
  create(name: string, retries: number): Promise<void>
  send(name: string, ids: readonly string[]): Promise<void>
  /** Holds up to `count` jobs, oldest first. */
  fetch(name: string, count: number): Promise<HeldJob[]>
  /** Renews the leases of held jobs; resolves with the ids that are still held. */
  renew(name: string, jobs: readonly HeldJob[]): Promise<ReadonlySet<string>>
  complete(name: string, job: HeldJob): Promise<void>
  /** Gives a job back for another attempt. */
  fail(name: string, job: HeldJob): Promise<void>
  /** Takes jobs out, whether or not they are held. */
  cancel(name: string, ids: readonly string[]): Promise<void>
  /** Ids of jobs that have used up their attempts. */
  exhausted(name: string): Promise<string[]>
  /** Those of the jobs that no worker holds or will get: completed, given up or deleted. */
  ended(name: string, ids: readonly string[]): Promise<string[]>
  /** Asks whether the server responds. @throws Error when it does not */
  ping(): Promise<void>
  /** False from a failure until the next statement that works. */
  isReachable(): boolean
  close(): Promise<void>
}

/** Seconds without a renewal after which a job is given to another worker. */
export const leaseSeconds = 10
/** Milliseconds between renewals. */
export const renewMs = (leaseSeconds * 1000) / 4
/** Milliseconds after which a statement has failed: a link that is down says nothing. */
const statementTimeoutMs = 10_000
/** The schema in PostgreSQL that holds the queues and nothing else. */
const schema = 'assay_queue'

/** What a renewal of attempts answers; the library's types leave it out. */
const Touched = z.object({ settled: z.array(z.string()) })

/** One statement for all of them, which the library does not offer. */
const endedSql = `select id from unnest($2::uuid[]) as held (id)
  where not exists (select 1 from ${schema}.job j where j.name = $1 and j.id = held.id and j.state in ('created', 'retry', 'active'))`
const Ended = z.object({ rows: z.array(z.object({ id: z.string() })) })

export interface JobQueueOptions {
  /** `postgres://…` */
  readonly url: string
  /** The service creates the schema and ends leases that have lapsed; workers only use what is there. */
  readonly role: 'service' | 'worker'
  readonly onError: (error: unknown) => void
}

/** @throws Error naming the server, never its password */
export async function openJobQueue({ url, role, onError }: JobQueueOptions): Promise<JobQueue> {
  // Loaded only here: who works on one machine does not pay for it.
  const { PgBoss } = await import('pg-boss')
  const isService = role === 'service'
  // pg-boss hands these to `pg`; its own types leave the last two out.
  const connection = {
    connectionString: url,
    application_name: `assay-${role}`,
    max: isService ? 8 : 4,
    connectionTimeoutMillis: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
  }
  const boss = new PgBoss({
    ...connection,
    schema,
    migrate: isService,
    createSchema: isService,
    supervise: isService,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  })
  let reachable = true
  boss.on('error', onError)
  const run = async <Result>(statement: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await statement()
      reachable = true
      return result
    } catch (error) {
      if (isConnectionError(error)) reachable = false
      throw error
    }
  }
  try {
    await boss.start()
  } catch (error) {
    throw new Error(
      `The queue at ${serverOf(url)} could not be opened: ${describe(error)}. Start PostgreSQL 13 or later there, or correct --queue.`,
      { cause: error },
    )
  }
  const toAttempts = (jobs: readonly HeldJob[]) => jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }))
  return {
    create: (name, retries) =>
      run(async () => {
        await boss.createQueue(exhaustedOf(name), { retryLimit: 0, retentionSeconds: 3600, deleteAfterSeconds: 60 })
        const known = await boss.getQueue(name)
        if (known) {
          // The name was another once.
          if (known.deadLetter !== exhaustedOf(name)) await boss.updateQueue(name, { deadLetter: exhaustedOf(name) })
          const left = await boss.deleteAllJobs(name)
          // Calls that a worker still makes for the earlier start count against the endpoint's limit until it has ended them.
          if (retries === 0 && left !== 0) await delay(renewMs + 1_000)
          await boss.deleteAllJobs(exhaustedOf(name))
          return
        }
        await boss.createQueue(name, {
          deadLetter: exhaustedOf(name),
          retryLimit: retries,
          heartbeatSeconds: leaseSeconds,
          expireInSeconds: 3600,
          retentionSeconds: 24 * 3600,
          deleteAfterSeconds: 60,
        })
      }),
    send: (name, ids) =>
      run(async () => {
        await boss.insert(
          name,
          ids.map(id => ({ id, data: { batch: id } })),
        )
      }),
    fetch: (name, count) =>
      run(async () => (await boss.fetch(name, { batchSize: count })).map(({ id, retryCount }) => ({ id, attempt: retryCount }))),
    renew: (name, jobs) =>
      run(async () => {
        const { settled } = Touched.parse(await boss.touch(name, toAttempts(jobs)))
        return new Set(settled)
      }),
    complete: (name, job) => run(async () => void (await boss.complete(name, toAttempts([job])))),
    fail: (name, job) => run(async () => void (await boss.fail(name, toAttempts([job])))),
    cancel: (name, ids) => run(async () => void (await boss.cancel(name, [...ids]))),
    exhausted: name =>
      run(async () => {
        const jobs = await boss.fetch<{ readonly batch: string }>(exhaustedOf(name), { batchSize: 100 })
        if (jobs.length > 0)
          await boss.complete(
            exhaustedOf(name),
            jobs.map(({ id }) => id),
          )
        return jobs.map(({ data }) => data.batch)
      }),
    ended: (name, ids) => run(async () => Ended.parse(await boss.getDb().executeSql(endedSql, [name, [...ids]])).rows.map(({ id }) => id)),
    ping: () => run(async () => void (await boss.getDb().executeSql('select 1'))),
    isReachable: () => reachable,
    close: () => boss.stop({ graceful: false }),
  }
}

/** Conditions of a server that cannot be worked with at the moment: connection, resources, shutdown, system. All others answer a statement. */
const outages = /^(?:08|53|57P|58)/

/** Whether an error says that PostgreSQL cannot be reached, and not that one statement was wrong. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^[0-9A-Z]{5}$/.test(code)) return outages.test(code)
  // The library refuses arguments by assertion, and a queue that is gone by a code of its own.
  return code !== 'ERR_ASSERTION' && code !== 'PGBOSS_QUEUE_NOT_FOUND'
}

/** Host and port without user and password. */
function serverOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return describe(error.errors[0])
  return messageOf(error).replace(/\.$/, '')
}
