import { afterAll, beforeAll, expect, test } from 'vitest'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { pricedModel, type PricedModel } from '../support/tuning.ts'
import { importEnd, upload } from './imports-upload.ts'

let service: TestService
let model: PricedModel
let profile: string
let isBroken = false
beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  model = await pricedModel(client, 'Watched', question => (isBroken ? 'no idea' : (/number (\d+)/.exec(question)?.[1] ?? '')), 1)
  const content = Array.from({ length: 60 }, (_, i) => JSON.stringify({ question: `What is number ${i}?`, answer: String(i) })).join('\n')
  const reply = await upload(service, { fields: { format: 'jsonl', name: 'Numbers' }, files: [{ name: 'data.jsonl', content }] })
  const { id } = (await reply.json()) as { id: string } // imports.test.ts checks the shape
  const { slug } = await importEnd(service, id)
  const { profiles } = await client.call('getBenchmark', { params: { slug: slug ?? '' } })
  profile = profiles[0]?.id ?? ''
})
afterAll(async () => {
  await service.close()
  await model.server.close()
})

async function run(samples?: number) {
  const { id } = await quote(service.client, {
    model: { kind: 'connection', connection_id: model.id },
    profiles: [profile],
    coverage: samples === undefined ? { mode: 'full' } : { mode: 'sample', sample_count: samples, seed: 1 },
  })
  return runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
}
const history = (profileId?: string) =>
  service.client.call('getScoreHistory', { query: profileId === undefined ? {} : { profile_id: profileId } })

test('a run whose scores leave the interval of those before is a change, and later ones are compared with it', async () => {
  const runs = [await run(), await run()]
  isBroken = true
  runs.push(await run(), await run())
  isBroken = false
  runs.push(await run())
  const { series, profiles } = await history(profile)
  expect(profiles).toMatchObject([{ profile_id: profile, runs: 5 }])
  expect(series).toHaveLength(1)
  expect(series[0]).toMatchObject({ model_title: 'Watched', is_watched: true, epochs: 1 })
  expect(series[0]?.points.map(({ run_id, estimate, change }) => [run_id, estimate.mean, change])).toEqual([
    [runs[0]?.id, 1, null],
    [runs[1]?.id, 1, null],
    [runs[2]?.id, 0, 'regression'],
    [runs[3]?.id, 0, null],
    [runs[4]?.id, 1, 'improvement'],
  ])
})

test('runs of other tasks have a series of their own', async () => {
  await run(20)
  const { series } = await history(profile)
  expect(series.map(({ points, basis }) => [points.length, basis.tasks.replace(/^\S+ /, '')])).toEqual([
    [5, 'all'],
    [1, '20 by seed 1'],
  ])
})

test('without a profile the profiles are listed, and an unknown one has no series', async () => {
  expect(await history()).toMatchObject({ profiles: [{ runs: 6 }], series: [] })
  expect((await history('no-such:profile')).series).toEqual([])
})
