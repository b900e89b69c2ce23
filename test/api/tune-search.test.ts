import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { NewTuneQuote } from '../../src/contract/tuning/quotes.schemas.ts'
import { type JudgeReply, connectJudge, jobEnd, materialOf, startJudge } from '../support/judging.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel } from '../support/tuning.ts'

const cases = 60
let service: TestService
let current: PricedModel
let cheap: PricedModel
/** Whole questions that the cheap model was asked. */
const asked: string[] = []

const ticketOf = (text: string) => Number(/Ticket (\d+)/.exec(text)?.[1] ?? -1)
const right = (text: string) => `label-${ticketOf(text) % 3}`

beforeAll(async () => {
  service = await startTestService()
  current = await pricedModel(service.client, 'current', right, 10_000_000)
  // Wrong for one ticket in ten, and unless it is told how for a third of the others.
  const answer = (question: string) => {
    asked.push(question)
    const ticket = ticketOf(question)
    if (ticket % 10 === 0) return 'wrong'
    return ticket % 3 === 1 && !question.includes('number modulo 3') ? 'wrong' : right(question)
  }
  cheap = await pricedModel(service.client, 'cheap', answer, 1_000_000)
})
afterAll(async () => {
  await current.server.close()
  await cheap.server.close()
  await service.close()
})

const model = ({ id }: Pick<PricedModel, 'id'>) => ({ kind: 'connection' as const, connection_id: id })

async function approved(change: (session: ReturnType<typeof newSession>) => ReturnType<typeof newSession> = same => same): Promise<string> {
  const { call, ...body } = change(newSession(cases))
  if (!call) throw new Error('A session has a call.')
  const objective = { margin: 0.3, seed: 3 }
  const { id } = await service.client.call('createTuneSession', { body: { ...body, call: { ...call, model: model(current) }, objective } })
  await service.client.call('approveTuneSession', { params: { session_id: id }, body: { revision: 1 } })
  return id
}
async function reflecting(reply: (n: number) => JudgeReply) {
  const judge = await startJudge((_, n) => reply(n))
  onTestFinished(() => judge.close())
  return { judge, connectionId: await connectJudge(service.client, judge) }
}
const termsOf = (connectionId: string, max_calls = 400): NewTuneQuote => ({
  candidates: [{ label: 'cheap', model: model(cheap), effort: null }],
  mode: 'race',
  max_charge_microusd: '0',
  optimize: { reflection_model: { kind: 'connection', connection_id: connectionId }, reflection_effort: null, train_share: 0.4, max_calls },
})
const start = async (session_id: string, quote_id: string, key: string = crypto.randomUUID()) =>
  service.client.call('startTuneGroup', { params: { session_id }, body: { quote_id }, headers: { 'idempotency-key': key } })
const read = (session_id: string) => service.client.call('getTuneSession', { params: { session_id } })

test('finds the one better prompt among nine worse ones, on cases that the race never sees', async () => {
  const { judge, connectionId } = await reflecting(n =>
    n === 4 ? '<prompt>The label is the number modulo 3: {input}</prompt>' : `<prompt>Try number ${n}: {input}</prompt>`,
  )
  const session_id = await approved()
  asked.length = 0
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: termsOf(connectionId, 150) })
  expect(quote).toMatchObject({ cases: 36, optimize: { training_cases: 24, max_calls: 150, estimated_charge_microusd: '0' } })
  if (quote.kind !== 'model') throw new Error('Models make model quotes.')
  // 120 calls at the candidate's own estimate; the rates of the model that writes 30 proposals are unknown.
  expect(quote.optimize?.provider_billed_estimate_microusd).toBeNull()
  const key = crypto.randomUUID()
  const started = await start(session_id, quote.id, key)
  expect(started).toMatchObject({ status: 'running', search: { status: 'running' } })
  expect((await start(session_id, quote.id, key)).search?.id).toBe(started.search?.id)
  await jobEnd(service.client, started.job_id ?? '')
  const duringSearch = [...asked]
  const { search, job_id } = await read(session_id)
  await jobEnd(service.client, job_id ?? '')
  const session = await read(session_id)
  expect(search).toMatchObject({ status: 'complete', candidate: 'cheap', training_cases: 24, held_out_cases: 36 })
  expect(search?.calls).toBeLessThanOrEqual(150)
  const kept = search?.prompts.filter(({ outcome }) => outcome === 'kept') ?? []
  expect(kept).toMatchObject([{ number: 4, races: true, prompt: { prompt_template: 'The label is the number modulo 3: {input}' } }])
  expect(kept[0]?.training?.mean).toBeGreaterThan(search?.prompts[0]?.training?.mean ?? 1)
  expect(search?.prompts.length).toBeGreaterThan(9)

  const arms = session.groups[0]?.arms.map(({ label }) => label)
  expect(arms).toEqual(['current', 'cheap', 'cheap, prompt 4'])
  // What the race ran is what the search did not see.
  const runId = session.groups[0]?.arms[0]?.run_id ?? ''
  const { items } = await service.client.call('listSamples', { params: { run_id: runId }, query: { limit: 100 } })
  const heldOut = new Set(items.map(({ task_id }) => Number(task_id.replace('case-', ''))))
  expect(heldOut.size).toBe(36)
  const early = duringSearch.slice(0, search?.calls ?? 0).map(ticketOf)
  const trained = new Set(early.filter(ticket => !heldOut.has(ticket)))
  expect(trained.size).toBe(24)
  const shown = judge.asked.flatMap(chat => materialOf(chat)).flatMap(text => (/^Ticket \d+$/.test(text) ? [ticketOf(text)] : []))
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.filter(ticket => heldOut.has(ticket))).toEqual([])
})

test('stops within its calls, and races the candidates alone where nothing better is found', async () => {
  const { judge, connectionId } = await reflecting(n => (n === 1 ? 'No idea.' : '<prompt>Without a place for the ticket</prompt>'))
  const session_id = await approved()
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: termsOf(connectionId, 54) })
  const started = await start(session_id, quote.id)
  await jobEnd(service.client, started.job_id ?? '')
  const session = await read(session_id)
  expect(session.search?.prompts.map(({ outcome }) => outcome)).toEqual(['start', 'unusable', 'unusable'])
  expect(session.search?.prompts[2]?.detail).toBe('The proposed prompt has lost {input}.')
  expect(session.search?.calls).toBe(26)
  expect(judge.asked).toHaveLength(2)
  expect(session.groups[0]?.arms.map(({ label }) => label)).toEqual(['current', 'cheap'])
  await jobEnd(service.client, session.job_id ?? '')
})

test('tries no proposal that quotes a case of the race, however the model came to know it', async () => {
  const folder = (n: number) => `Ticket ${n} lies in the blue folder ${n}`
  const stolen = Array.from({ length: cases }, (_, n) => `${folder(n)}: label-${n % 3}`).join('\n')
  const { connectionId } = await reflecting(() => `<prompt>${stolen}\n{input}</prompt>`)
  const session_id = await approved(session => ({
    ...session,
    cases: session.cases?.map((one, n) => ({ ...one, input: folder(n) })),
  }))
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: termsOf(connectionId, 54) })
  const started = await start(session_id, quote.id)
  await jobEnd(service.client, started.job_id ?? '')
  const session = await read(session_id)
  expect(session.search?.prompts.map(({ outcome }) => outcome)).toEqual(['start', 'unusable', 'unusable'])
  expect(session.search?.prompts[1]?.detail).toMatch(/^The proposed prompt quotes the held-out case "[^"]+", so it was not tried\.$/)
  await jobEnd(service.client, session.job_id ?? '')
})

test('is quoted beside the arms: scoring at the estimate of the candidate, and proposals', async () => {
  const judge = await startJudge(() => 'x')
  onTestFinished(() => judge.close())
  const connectionId = await connectJudge(service.client, judge, { priced: true })
  const session_id = await approved()
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: termsOf(connectionId, 150) })
  if (quote.kind !== 'model') throw new Error('Models make model quotes.')
  const candidate = BigInt(quote.arms[1]?.cost.provider_billed_estimate_microusd ?? 0)
  // 30 proposals of 2,000 tokens in at $1 and 200 out at $2 a million.
  const proposals = 30n * 2400n
  expect(quote.optimize).toMatchObject({
    estimated_charge_microusd: '0',
    provider_billed_estimate_microusd: String((candidate * 120n) / 36n + proposals),
  })
})

test('is refused where its calls or its cases do not suffice', async () => {
  const { connectionId } = await reflecting(() => 'x')
  const session_id = await approved()
  const refused = async (body: NewTuneQuote) => service.client.refusal('createTuneQuote', { params: { session_id }, body })
  const few = await refused(termsOf(connectionId, 28))
  expect(few).toMatchObject({ code: 'validation_error', detail: [{ loc: ['body', 'optimize', 'max_calls'] }] })
  expect(few.message).toContain('takes 29')
  const terms = termsOf(connectionId)
  const unknown = { ...terms, optimize: { ...termsOf(crypto.randomUUID()).optimize, train_share: 0.4, max_calls: 400 } } as NewTuneQuote
  expect((await refused(unknown)).detail[0]?.loc.slice(0, 3)).toEqual(['body', 'optimize', 'reflection_model'])
  const simulated = { kind: 'managed', route_id: 'assay/simulated-judge' } as const
  const wordless = { ...terms, optimize: { ...unknown.optimize, reflection_model: simulated } } as NewTuneQuote
  expect((await refused(wordless)).message).toContain("can't write texts")
})

test('that is cancelled cancels the session and its run', async () => {
  const { connectionId } = await reflecting(() => '<prompt>Again: {input}</prompt>')
  const slow = await pricedModel(service.client, 'slow', right, 1_000_000, { delayMs: 200, concurrency: 1 })
  onTestFinished(() => slow.server.close())
  const session_id = await approved()
  const body = { ...termsOf(connectionId), candidates: [{ label: 'slow', model: model(slow), effort: null }] }
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body })
  await start(session_id, quote.id)
  const runs = async () => (await service.client.call('listRuns', { query: { q: 'prompt search', limit: 50 } })).items
  await expect.poll(async () => (await runs()).some(({ status }) => status === 'running')).toBe(true)
  const cancelled = await service.client.call('cancelTuneSession', { params: { session_id } })
  expect(cancelled).toMatchObject({ status: 'cancelled', search: { status: 'cancelled' }, groups: [] })
  await expect.poll(async () => (await runs()).every(({ status }) => status !== 'running' && status !== 'cancelling')).toBe(true)
})

test('says what it waits for where the model that writes prompts takes no calls', async () => {
  const { connectionId } = await reflecting(() => ({ status: 429, headers: { 'retry-after': '600' } }))
  const session_id = await approved()
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: termsOf(connectionId) })
  const { job_id } = await start(session_id, quote.id)
  const job = { params: { job_id: job_id ?? '' } }
  await expect.poll(async () => (await service.client.call('getJob', job)).pause?.message).toContain('The model judge takes no calls: ')
  expect(await service.client.call('cancelJob', job)).toMatchObject({ pause: null })
})
