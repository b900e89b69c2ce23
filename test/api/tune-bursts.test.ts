import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/contract/client.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel } from '../support/tuning.ts'

let service: TestService
let current: PricedModel
let cheap: PricedModel
const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1] ?? 0) % 3}`

beforeAll(async () => {
  service = await startTestService()
  current = await pricedModel(service.client, 'current', label, 10_000_000, { delayMs: 2 })
  cheap = await pricedModel(service.client, 'cheap', label, 1_000_000, { delayMs: 2 })
})
afterAll(async () => {
  await current.server.close()
  await cheap.server.close()
  await service.close()
})

const connection = ({ id }: PricedModel) => ({ kind: 'connection' as const, connection_id: id })
const terms = () => ({ candidates: [{ label: 'cheap', model: connection(cheap) }], max_charge_microusd: '0' })
async function create(): Promise<string> {
  const { call, ...body } = newSession(60)
  if (!call) throw new Error('A session has a call.')
  const objective = { margin: 0.2 }
  return (await service.client.call('createTuneSession', { body: { ...body, call: { ...call, model: connection(current) }, objective } }))
    .id
}
const read = (session_id: string) => service.client.call('getTuneSession', { params: { session_id } })
const approve = (session_id: string) => service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1 } })
const quote = (session_id: string) => service.client.call('createTuneQuote', { params: { session_id }, body: terms() })
const start = (session_id: string, quote_id: string, key: string = crypto.randomUUID()) =>
  service.client.call('startTuneGroup', { params: { session_id }, body: { quote_id }, headers: { 'idempotency-key': key } })
const cancel = (session_id: string) => service.client.call('cancelTuneSession', { params: { session_id } })

const times = (length: number, word: string): string[] => Array.from({ length }, () => word)

/** How each call of a burst ended: `done`, or the code of its refusal. Whatever is no refusal fails the test. */
async function burst(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls)
  return settled.map(one => {
    if (one.status === 'fulfilled') return 'done'
    if (one.reason instanceof ServiceError && one.reason.status < 500) return one.reason.code
    throw one.reason
  })
}
/** The session once nothing of it works any more. */
async function settled(session_id: string): Promise<TuneSession> {
  await expect.poll(async () => (await read(session_id)).status).not.toBe('running')
  const session = await read(session_id)
  for (const { run_id } of session.groups.flatMap(({ arms }) => arms)) {
    const statusOf = async () => (await service.client.call('getRun', { params: { run_id } })).status
    await expect.poll(async () => isTerminal(runMachine, await statusOf())).toBe(true)
  }
  return session
}

describe('of a burst', () => {
  test('of approvals one is carried out, and of quotes beside them each or none', async () => {
    const session_id = await create()
    const ended = await burst(Array.from({ length: 6 }, () => approve(session_id)))
    expect(ended.toSorted()).toEqual(['done', ...times(5, 'illegal_transition')])
    const quotes = await burst(Array.from({ length: 6 }, () => quote(session_id)))
    expect(quotes).toEqual(times(6, 'done'))
    expect(await read(session_id)).toMatchObject({ status: 'quoted', revision: 1 })
  })

  test('of edits one makes the next revision', async () => {
    const session_id = await create()
    const edit = (i: number) => service.client.call('patchTuneDraft', { params: { session_id }, body: { revision: 1, name: `Edit ${i}` } })
    const ended = await burst(Array.from({ length: 6 }, (_, i) => edit(i)))
    expect(ended.toSorted()).toEqual([...times(5, 'conflict'), 'done'])
    expect((await read(session_id)).revision).toBe(2)
  })

  test('of starts under one key or many, one begins the group', async () => {
    const session_id = await create()
    await approve(session_id)
    const { id } = await quote(session_id)
    const asked = current.server.requests() + cheap.server.requests()
    const same = await burst(Array.from({ length: 4 }, () => start(session_id, id, 'mine')))
    expect(same).toEqual(times(4, 'done'))
    const other = await burst(Array.from({ length: 4 }, () => start(session_id, id)))
    for (const code of other) expect(['illegal_transition', 'conflict']).toContain(code)
    const session = await settled(session_id)
    expect(session.groups).toHaveLength(1)
    const cases = session.groups[0]?.arms.reduce((sum, arm) => sum + arm.cases_run, 0) ?? 0
    expect(current.server.requests() + cheap.server.requests() - asked).toBeLessThanOrEqual(cases + 32)
  })

  test('of starts, quotes and cancellations, the session ends in one state, and its runs with it', async () => {
    for (const order of [0, 1, 2, 3]) {
      const session_id = await create()
      await approve(session_id)
      const { id } = await quote(session_id)
      const calls = [() => start(session_id, id), () => cancel(session_id), () => quote(session_id), () => cancel(session_id)]
      const ended = await burst([...calls.slice(order), ...calls.slice(0, order)].map(call => call()))
      expect(ended).toContain('done')
      const session = await settled(session_id)
      expect(session.status).toBe('cancelled')
      for (const { status, arms } of session.groups) {
        expect(status).toBe('cancelled')
        for (const arm of arms.slice(1)) expect(arm.verdict).not.toBeNull()
      }
    }
  })

  test('of approvals with auto and cancellations, nothing is left running', async () => {
    for (const _ of [1, 2, 3]) {
      const session_id = await create()
      const auto = () => service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1, auto: terms() } })
      await burst([auto(), cancel(session_id), auto(), cancel(session_id)])
      const session = await settled(session_id)
      expect(['cancelled', 'complete']).toContain(session.status)
    }
  })
})

test('caps beyond any wallet, and candidates beyond the limit, are refused or quoted, and never an error of the service', async () => {
  const session_id = await create()
  await approve(session_id)
  const ask = async (body: object) =>
    (
      await service.fetch(`/v1/tune-sessions/${session_id}/quotes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status
  const [candidate] = terms().candidates
  expect(await ask({ ...terms(), max_charge_microusd: '999999999999999999' })).toBe(201)
  expect(await ask({ ...terms(), max_charge_microusd: '9'.repeat(40) })).toBe(422)
  expect(await ask({ ...terms(), max_charge_microusd: '-1' })).toBe(422)
  expect(await ask({ ...terms(), max_provider_billed_microusd: '0' })).toBe(201)
  expect(await ask({ ...terms(), candidates: [] })).toBe(422)
  expect(await ask({ ...terms(), candidates: Array.from({ length: 13 }, (_, i) => ({ ...candidate, label: `c${i}` })) })).toBe(422)
  expect(await ask({ ...terms(), candidates: [{ ...candidate, label: 'current' }] })).toBe(422)
  expect(await ask({ ...terms(), candidates: [{ ...candidate, model: { kind: 'connection', connection_id: session_id } }] })).toBe(404)
  expect(await ask({ ...terms(), candidates: [{ ...candidate, prompt: { prompt_template: 'no place' } }] })).toBe(422)
})
