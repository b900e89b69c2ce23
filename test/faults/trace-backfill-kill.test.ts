import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { startTestService, temporaryFolder } from '../support/service.ts'
import {
  connect,
  providers,
  readIntegration,
  secretsOf,
  startProvider,
  type TestedProvider,
  until,
} from '../support/trace-providers/connected.ts'
import { fakeTraces, iso } from '../support/trace-providers/scripted-server.ts'

/** After the first was stored; `npm run test:faults` kills at more of them. A job is given up after five deaths, so that these are four at most. */
const killedPages = new Set(everyKill ? [1, 2, 4, 6] : [2])

const begin = Date.parse('2026-11-10T00:00:00Z')
const window = { from: iso(begin), to: iso(begin + 3_600_000) }
/** Several pages of each provider: 1,000 observations, a list and each trace's runs, 1,000 rows. */
const sizes: Readonly<Record<TestedProvider, readonly [traces: number, calls: number]>> = {
  langfuse: [900, 2],
  langsmith: [4, 2],
  braintrust: [900, 2],
}

/** Everything that was read, in an order that does not depend on when. */
function contentOf(dataDir: string) {
  const db = openDatabase(join(dataDir, 'assay.db'), { readonly: true })
  try {
    return {
      spans: db
        .prepare(
          'select t.provider_trace_id, s.span_id, s.revision, hex(s.digest) from spans s join traces t on t.no = s.trace_no order by 1, 2',
        )
        .all(),
      traces: db
        .prepare('select provider_trace_id, name, model, span_count, error_count, input_tokens, output_tokens from traces order by 1')
        .all(),
      annotations: db.prepare('select provider_id, name, value from trace_annotations order by 1').all(),
      revisions: db.prepare('select count(*) as n from span_revisions').all(),
    }
  } finally {
    db.close()
  }
}

/** A service that is to be killed has a process of its own; starting one takes longer than all the rest. */
async function startOn(dataDir: string, isToBeKilled: boolean) {
  if (isToBeKilled) return startChildService(dataDir)
  const { client, close } = await startTestService({ dataDir })
  return { client, kill: () => Promise.reject(new Error('It runs in the process of the tests.')), stop: close }
}

/** Backfills with the service killed whenever the provider is asked for one of these pages, after the pages before it were stored. */
async function backfillWithKills(provider: TestedProvider, killAt: ReadonlySet<number>) {
  const [traces, calls] = sizes[provider]
  const server = await startProvider(provider, fakeTraces(traces, begin, calls))
  const folder = temporaryFolder()
  let kills = 0
  try {
    let service = await startOn(folder.path, killAt.size > 0)
    const { id } = await connect(service.client, provider, server.url)
    let pages = 0
    let wanted: () => void = () => {}
    server.intercept = ({ path }) => {
      if (!/observations|scores|traces|btql/.test(path)) return null
      pages += 1
      if (killAt.has(pages)) wanted()
      return null
    }
    let reached = new Promise<void>(resolve => (wanted = resolve))
    await service.client.call('backfillTraces', { params: { integration_id: id }, body: window })
    for (;;) {
      const ended = until(service.client, id, ({ status }) => status === 'connected').then(
        () => 'ended' as const,
        () => 'gone' as const,
      )
      const first = await Promise.race([ended, reached.then(() => 'kill' as const)])
      if (first === 'ended') break
      await service.kill()
      kills += 1
      reached = new Promise<void>(resolve => (wanted = resolve))
      service = await startOn(folder.path, true)
    }
    const { backfill } = await readIntegration(service.client, id)
    await service.stop()
    const secret = secretsOf[provider]
    const leaks = readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(secret))
      .map(({ name }) => name)
    return { content: contentOf(folder.path), backfill, kills, leaks, pages }
  } finally {
    await server.close()
    folder.remove()
  }
}

test.each(everyKill ? providers : providers.slice(0, 1))(
  'a backfill of %s killed at its pages stores the same content, no row twice, and no secret',
  async provider => {
    const whole = await backfillWithKills(provider, new Set())
    expect(whole.content.spans).toHaveLength(sizes[provider][0] * 3)
    const killed = await backfillWithKills(provider, killedPages)
    expect(killed.kills).toBeGreaterThanOrEqual(Math.min(2, killedPages.size))
    expect(killed.content).toEqual(whole.content)
    expect(killed.backfill).toMatchObject({
      traces: whole.backfill?.traces,
      spans: whole.backfill?.spans,
      new_spans: whole.backfill?.new_spans,
    })
    expect([...whole.leaks, ...killed.leaks]).toEqual([])
  },
)
