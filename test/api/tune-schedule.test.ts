import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { jobEnd } from '../support/judging.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel, startRace } from '../support/tuning.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1] ?? 0) % 3}`
const connection = ({ id }: Pick<PricedModel, 'id'>) => ({ kind: 'connection' as const, connection_id: id })

async function modelOf(name: string, rate: number, options: Parameters<typeof pricedModel>[4], answers = label) {
  const made = await pricedModel(service.client, name, answers, rate, options)
  onTestFinished(() => made.server.close())
  return made
}
async function create(current: PricedModel, cases: number, margin: number): Promise<string> {
  const { call, ...body } = newSession(cases)
  if (!call) throw new Error('A session has a call.')
  return (
    await service.client.call('createTuneSession', {
      body: { ...body, call: { ...call, model: connection(current) }, objective: { margin, seed: 3 } },
    })
  ).id
}

test('arms that share an endpoint take turns, and none is asked beyond a look before all have reached it', async () => {
  const asked: string[] = []
  // A call takes far longer than the service needs to give the next turn: with 1 ms a busy machine let one arm get 19 cases ahead.
  const shared = await modelOf('shared', 1_000_000, { delayMs: 25, concurrency: 2 }, question => {
    asked.push(question.split(' ')[0] ?? '')
    return label(question)
  })
  const current = await modelOf('current', 10_000_000, {}, question => {
    asked.push('current')
    return label(question)
  })
  asked.length = 0
  const prompts = ['A', 'B', 'C']
  const candidates = prompts.map(name => ({ label: name, model: connection(shared), prompt: { prompt_template: `${name} {input}` } }))
  // Nothing is accepted before the fourth look at this margin.
  const { job_id } = await startRace(service.client, await create(current, 100, 0.06), candidates)
  await jobEnd(service.client, job_id ?? '')
  const names = ['current', ...prompts]
  const counts = new Map(names.map(name => [name, 0]))
  const count = (name: string) => counts.get(name) ?? 0
  let widest = 0
  for (const name of asked) {
    const look = Math.floor(count(name) / 20)
    for (const other of names) expect(count(other), `${other} beside case ${count(name)} of ${name}`).toBeGreaterThanOrEqual(20 * look)
    counts.set(name, count(name) + 1)
    const shares = prompts.map(count)
    // Arms start one after the other; from the first look on they are all under way.
    if (Math.min(...shares) >= 20) widest = Math.max(widest, Math.max(...shares) - Math.min(...shares))
  }
  for (const name of names) expect(count(name)).toBeGreaterThanOrEqual(60)
  // An arm that did not wait for its turn would be a look, 20 cases, ahead. How far one in turn gets depends on how busy the machine is.
  expect(widest).toBeLessThan(20)
})

test('an arm that is no longer needed is stopped in the middle of its look', async () => {
  let calls = 0
  const dear = await modelOf('dear', 5_000_000, { delayMs: () => (++calls > 50 ? 60_000 : 0), concurrency: 4 })
  const [current, cheap] = [await modelOf('current', 10_000_000, {}), await modelOf('cheap', 1_000_000, {})]
  const session_id = await create(current, 100, 0.2)
  const { job_id } = await startRace(service.client, session_id, [
    { label: 'cheap', model: connection(cheap) },
    { label: 'dear', model: connection(dear) },
  ])
  await jobEnd(service.client, job_id ?? '')
  const session = await service.client.call('getTuneSession', { params: { session_id } })
  const [, accepted, stopped] = session.groups[0]?.arms ?? []
  expect(session).toMatchObject({ status: 'complete', conclusion: { recommended: 'cheap' } })
  expect(accepted).toMatchObject({ verdict: 'accepted', looks: [{ n: 20 }, { n: 40 }, { n: 60 }] })
  expect(stopped).toMatchObject({ verdict: 'dropped', reason: 'not_needed', run_status: 'stopped_early', looks: [{ n: 20 }, { n: 40 }] })
  expect(stopped?.cases_run).toBeGreaterThan(40)
  expect(stopped?.cases_run).toBeLessThan(60)
})
