import { expect, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { tuneOccurrenceMachine } from '../../src/contract/tuning/monitor.machine.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { fullGroup } from '../../src/engine/execution/scheduler/journal.ts'
import { everyKill } from '../support/every-kill.ts'
import { connectJudge, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { pricedModel } from '../support/tuning.ts'

test.runIf(everyKill)(
  'a workload whose service is killed while it is graded ends with every output graded, and asks again only what was in flight (in npm run test:faults)',
  async () => {
    const folder = temporaryFolder()
    let service: ChildService = await startChildService(folder.path)
    const { promise: during, resolve: reached } = Promise.withResolvers<void>()
    const asked: string[] = []
    const atOnce = 4
    const judge = await startJudge(async ({ messages }) => {
      asked.push(/Question \d+/.exec(messages.map(({ content }) => content).join(' '))?.[0] ?? '')
      if (asked.length === 40) reached()
      await new Promise(resolve => setImmediate(resolve))
      return { tool: { reasoning: 'ok', verdict: 'pass' } }
    })
    const versionId = (await saveJudge(service.client, await connectJudge(service.client, judge, { concurrency: atOnce }))).id
    const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
    const quoted = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles: [profile] })
    const run = await submit(service.client, quoted.id)
    await runToEnd(service.client, service.baseUrl, run.id)
    const { id: monitor_id } = await service.client.call('createTuneMonitor', {
      body: {
        name: 'Watch',
        profile_id: profile,
        baseline: { run_id: run.id },
        evaluator_version_id: versionId,
        max_charge_microusd: '0',
        max_monthly_microusd: '0',
      },
    })
    const outputs = Array.from({ length: 120 }, (_, i) => ({ id: `${i}`, input: `Question ${i}`, output: `Answer ${i}` }))
    const params = { monitor_id }
    const { occurrence_id } = await service.client.call('queueTuneWorkload', { params, body: { outputs } })
    await during
    await service.kill()
    service = await startChildService(folder.path)
    const find = async () => (await service.client.call('listTuneOccurrences', { params, query: {} })).find(one => one.id === occurrence_id)
    await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await find())?.status ?? 'accepted')).toBe(true)
    expect(await find()).toMatchObject({ status: 'complete', n: 120, unscored: 0, duplicates: 0, detector: { mean: 1 } })
    const [monitor] = await service.client.call('listTuneMonitors', { query: {} })
    expect(monitor).toMatchObject({ outputs_seen: 120 })
    expect(new Set(asked).size).toBe(120)
    // Grades are stored batch by batch; a verdict that had come is kept in the log of judge calls.
    expect(asked.length - 120).toBeLessThanOrEqual(atOnce)
    await service.stop()
    await judge.close()
    folder.remove()
  },
)

test('an event whose service is killed during its run ends with one run, and asks again only what was in flight', async () => {
  const folder = temporaryFolder()
  let service: ChildService = await startChildService(folder.path)
  const { promise: during, resolve: reached } = Promise.withResolvers<void>()
  const asked: string[] = []
  const atOnce = 2
  let reachedAt = 0
  const model = await pricedModel(
    service.client,
    'monitored',
    question => {
      asked.push(question)
      if (asked.length === reachedAt) reached()
      return '#### 13'
    },
    1_000_000,
    { delayMs: 5, concurrency: atOnce },
  )
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const target = { model: { kind: 'connection' as const, connection_id: model.id } }
  const quoted = await quote(service.client, { ...target, profiles: [profile] })
  const run = await submit(service.client, quoted.id)
  const { progress } = await runToEnd(service.client, service.baseUrl, run.id)
  const caps = { max_charge_microusd: '0', max_monthly_microusd: '1000000000' }
  const body = { name: 'Watch', profile_id: profile, baseline: { run_id: run.id }, target, ...caps }
  const params = { monitor_id: (await service.client.call('createTuneMonitor', { body })).id }
  asked.length = 0
  reachedAt = Math.floor(progress.frozen / 3)
  const { occurrence_id } = await service.client.call('createTuneMonitorEvent', { params, body: { type: 'release', key: 'v1' } })
  await during
  await service.kill()
  service = await startChildService(folder.path)
  // The same event, sent again by a pipeline that got no answer.
  const again = await service.client.call('createTuneMonitorEvent', { params, body: { type: 'release', key: 'v1' } })
  expect(again).toMatchObject({ occurrence_id, duplicate: true })
  const list = () => service.client.call('listTuneOccurrences', { params, query: {} })
  await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await list())[0]?.status ?? 'accepted')).toBe(true)
  expect(await list()).toMatchObject([{ id: occurrence_id, status: 'complete', verdict: 'ok', n: progress.frozen, unscored: 0 }])
  const { items } = await service.client.call('listRuns', { query: { q: 'Watch', limit: 10 } })
  expect(items).toHaveLength(1)
  expect(new Set(asked).size).toBe(progress.frozen)
  const twice = items[0]?.accounting.possibly_billed_twice ?? 0
  expect(asked.length - progress.frozen).toBeLessThanOrEqual(twice)
  // In flight, or answered within the group that was not yet durable.
  expect(twice).toBeLessThanOrEqual(atOnce + fullGroup)
  await service.stop()
  await model.server.close()
  folder.remove()
})
