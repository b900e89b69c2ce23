import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { fullGroup } from '../../src/engine/execution/scheduler/journal.ts'
import { examine } from '../../src/service/doctor/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { backUpOnline } from '../support/backups.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { patience } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'

/** `npm run test:faults` sets it to 50; one kill is part of every test run. */
const kills = Number(process.env['ASSAY_KILLS'] ?? 1)
const connections = 8

let models: ModelServer
const folder = temporaryFolder()

beforeAll(async () => {
  // Right for some tasks and wrong for others, always alike; slow enough that the news of a run comes before its end.
  models = await startModelServer({ answers: question => `#### ${question.length % 7 === 0 ? 12 : 13}`, delayMs: 60 })
})
afterAll(async () => {
  await models.close()
  folder.remove()
})

async function connect({ client }: ChildService): Promise<string> {
  const { id } = await client.call('createConnection', {
    body: { name: 'local', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: connections } },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  return id
}

/** What must be alike in two runs of the same tasks, whatever happened in between: everything but times, ids and money. */
async function outcome({ client, baseUrl }: ChildService, run: Run) {
  const csv = await fetch(`${baseUrl}/v1/runs/${run.id}/export?format=csv`, { headers: client.headers })
  const rows: Record<string, string>[] = parse(await csv.text(), { columns: true, bom: true })
  const results = await client.call('getRunResults', { params: { run_id: run.id } })
  return {
    metrics: results.metrics,
    breakdowns: results.breakdowns,
    coverage: results.coverage,
    digest: results.reproducibility.samples_digest,
    samples: rows.map(({ sample_id: _id, latency_ms: _latency, attempts: _attempts, finished_at: _finished, ...rest }) => rest),
  }
}

describe('SIGKILL at random moments', () => {
  test(
    `a run that is killed ${kills} times ends like an undisturbed one, with every sample scored once`,
    async () => {
      let service = await startChildService(folder.path)
      const connectionId = await connect(service)
      const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
      const samples = Math.min(270, 80 + kills * 20)
      const quoteId = async () =>
        (
          await quote(service.client, {
            model: { kind: 'connection', connection_id: connectionId },
            profiles: [profile],
            coverage: { mode: 'sample', sample_count: samples, seed: 11 },
          })
        ).id
      const calm = await runToEnd(service.client, service.baseUrl, (await submit(service.client, await quoteId(), 'calm')).id)
      expect(calm.status).toBe('complete')
      const expected = await outcome(service, calm)

      const before = models.requests()
      const { id } = await submit(service.client, await quoteId(), 'disturbed')
      for (let i = 0; i < kills; i++) {
        await progressed(service, id, Math.floor(((i + 1) * samples) / (kills + 2)))
        await service.kill()
        service = await startChildService(folder.path)
      }
      const run = await runToEnd(service.client, service.baseUrl, id)
      expect(run.status).toBe('complete')
      expect(run.progress).toMatchObject({ frozen: samples, scored: samples, pending: 0, active: 0 })
      expect(await outcome(service, run)).toEqual(expected)
      // At-least-once calls: every repeated one is marked as possibly billed, and only those in flight at a kill, or answered within
      // the group that was not yet durable, are repeated.
      const marked = run.accounting.possibly_billed_twice
      expect(models.requests() - before).toBeLessThanOrEqual(samples + marked)
      expect(marked).toBeLessThanOrEqual(kills * (connections + fullGroup))
      await service.stop()
      expectSound(samples)
      // Every request that reached the server is recorded. A request that the kill cut off before the server read it is recorded as well;
      // samples that were only claimed ahead are not.
      expect(recordedCalls()).toBeGreaterThanOrEqual(models.requests() - before)
    },
    (90_000 + kills * 15_000) * patience(),
  )
})

/** Waits for the run's own news, so that the moment of the kill does not hang on a clock. */
async function progressed({ client, baseUrl }: ChildService, id: string, scored: number): Promise<void> {
  const stop = new AbortController()
  const reply = await fetch(`${baseUrl}/v1/runs/${id}/events`, { headers: client.headers, signal: stop.signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of reply.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const counts = [...text.matchAll(/"scored":(\d+)/g)].map(match => Number(match[1]))
    if ((counts.at(-1) ?? 0) >= scored) break
  }
  stop.abort()
  const run = await client.call('getRun', { params: { run_id: id } })
  if (isTerminal(runMachine, run.status)) throw new Error('The run ended before it could be disturbed: make it longer.')
}

/** Attempts of the disturbed run, those of unknown outcome included. */
function recordedCalls(): number {
  const db = openDatabase(`${folder.path}/assay.db`, { readonly: true })
  try {
    return Number(Object.values(Object(db.prepare('select count(*) from attempts where run_no = 2').get()))[0])
  } finally {
    db.close()
  }
}

function expectSound(samples: number): void {
  const db = openDatabase(`${folder.path}/assay.db`, { readonly: true })
  try {
    expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(db.pragma('foreign_key_check')).toEqual([])
    const count = (sql: string) => Object.values(Object(db.prepare(sql).get()))[0]
    expect(count(`select count(*) from samples where status <> 'scored'`)).toBe(0)
    expect(count(`select count(*) from (select run_no, position, metric_no from scores group by 1, 2, 3 having count(*) > 1)`)).toBe(0)
    expect(count(`select count(*) from attempts where status = 'started'`)).toBe(0)
    expect(count(`select count(*) from scores where run_no = 2`)).toBe(samples * 2)
    expect(
      count(
        `select count(*) from (select run_no, status, count(*) n from samples group by 1, 2) s join run_counts c using (run_no, status) where c.n <> s.n`,
      ),
    ).toBe(0)
    expect(count(`select coalesce(sum(balance_microusd), 0) from accounts`)).toBe(0)
  } finally {
    db.close()
  }
}

describe('SIGKILL while a backup takes the place of the database', () => {
  /** The steps of the swap that change names. */
  const steps = everyKill ? [1, 2, 3] : [2]
  const dataDir = join(folder.path, 'restored')
  const keysIn = async ({ client }: ChildService) => (await client.call('listApiKeys', {})).items.map(({ name }) => name).sort()

  test('loses neither at any step: the next start has the backup, and what was replaced is kept', async () => {
    let service = await startChildService(dataDir)
    for (const step of steps) {
      const before = `before ${step}`
      await service.client.call('createApiKey', { body: { name: before, scopes: ['runs:read'] } })
      const there = await keysIn(service)
      const name = await backUpOnline(service.client)
      await service.client.call('createApiKey', { body: { name: `after ${step}`, scopes: ['runs:read'] } })
      await service.stop()

      service = await startChildService(dataDir, [], `swap:${step}`)
      await service.client.call('restoreBackup', { params: { backup_name: name } })
      expect(await service.gone).toBe('SIGKILL')
      service = await startChildService(dataDir)
      expect({ step, keys: await keysIn(service) }).toEqual({ step, keys: there })
      const { last_restore, items } = await service.client.call('listBackups', {})
      expect(last_restore).toMatchObject({ backup: name, failure: null })
      expect(items.map(item => item.name)).toContain(last_restore?.kept_as)
    }
    await service.stop()
    const { findings } = examine({ dataDir, backup: false, now: new Date() })
    expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
  })
})
