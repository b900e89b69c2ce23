import { expect, test } from 'vitest'
import { startMeasuredService } from '../bench/processes.ts'
import { watchRun } from '../bench/watch-run.ts'
import { slowness } from '../support/machine-speed.ts'
import { runMixedLoad } from '../support/mixed-load.ts'
import { program } from '../support/program.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'

/** Samples of each run are 270 times as many; `npm run test:calm` asks for more. */
const epochs = Number(process.env['ASSAY_CALM_EPOCHS'] ?? 30)
/**
 * Milliseconds of processor time that a turn of the service's loop may take; without any of this a run's own turns take up to 40. On a
 * busy machine the watchers who became due meanwhile are told in one turn, which then takes up to 85.
 */
const longestTurnMs = 150
/** The same for a search of so many samples while nothing else is done: on the loop it takes more than 40. */
const longestSearchMs = 30

test('a run, 200 people who watch it, fifty who read and searches over a large run hold the loop no longer than a moment', async () => {
  const folder = temporaryFolder()
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    const { client, baseUrl } = service
    const request = {
      model: { kind: 'managed', route_id: 'assay/oracle-50' } as const,
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
      execution: { epochs },
    }
    const searched = await runToEnd(client, baseUrl, (await submit(client, (await quote(client, request)).id)).id)
    const search = () => client.call('listSamples', { params: { run_id: searched.id }, query: { q: '7', sort: '-latency' } })
    // The first begins the thread and compiles the code.
    await search()
    service.begin()
    for (let i = 0; i < 5; i++) await search()
    expect((await service.end()).longestTurnCpuMs).toBeLessThan(longestSearchMs * slowness())

    const { id: quoteId } = await quote(client, request)
    const stop = new AbortController()
    const load = runMixedLoad(service, {
      clients: 50,
      requests: Number.POSITIVE_INFINITY,
      pauseMs: 250,
      writeEvery: 10,
      signal: stop.signal,
    })
    service.begin()
    const run = await submit(client, quoteId)
    const watchers = await watchRun(service, run.id, 200)
    const searches = (async () => {
      const totals = new Set<number | null>()
      while (!stop.signal.aborted) {
        totals.add((await search()).total)
      }
      return totals
    })()
    const { events } = await watchers.ended()
    const { longestTurnCpuMs } = await service.end()
    stop.abort()
    const { lost, forgotten, requests } = await load

    expect(longestTurnCpuMs).toBeLessThan(longestTurnMs * slowness())
    expect((await client.call('getRun', { params: { run_id: run.id } })).progress.scored).toBe(270 * epochs)
    expect({ lost, forgotten }).toEqual({ lost: [], forgotten: 0 })
    expect(requests).toBeGreaterThan(50)
    // Each was told at least how it began and how it ended.
    expect(events).toBeGreaterThanOrEqual(400)
    expect([...(await searches)]).toHaveLength(1)
    if (process.env['ASSAY_CALM_EPOCHS']) console.log({ longestTurnCpuMs, requests, events })
  } finally {
    await service.stop()
    folder.remove()
  }
})
