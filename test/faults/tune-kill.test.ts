import { expect, test } from 'vitest'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { fullGroup } from '../../src/engine/execution/scheduler/journal.ts'
import { startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { jobEnd } from '../support/judging.ts'
import { temporaryFolder } from '../support/service.ts'
import { newSession, pricedModel, raceToEnd, startRace } from '../support/tuning.ts'

/** Everything that a race decided, without times. */
const decided = ({ groups, conclusion }: TuneSession) => ({
  recommended: conclusion?.recommended,
  arms: groups.at(-1)?.arms.map(({ label, verdict, reason, looks }) => ({
    label,
    verdict,
    reason,
    looks: looks.map(({ n, z, bound }) => ({ n, z, bound })),
  })),
})

test('a race whose service is killed during a look decides the same, and asks nothing twice but what was in flight', async () => {
  const folder = temporaryFolder()
  let service = await startChildService(folder.path)
  const asked: string[] = []
  let reached = () => {}
  const during = new Promise<void>(resolve => {
    reached = resolve
  })
  let counting = false
  const answer = (isRight: (ticket: number) => boolean) => (question: string) => {
    const ticket = Number(/Ticket (\d+)/.exec(question)?.[1])
    if (counting) asked.push(`${isRight.name} ${ticket}`)
    // Look 1 is over after 3 × 20 answers.
    if (counting && asked.length === 90) reached()
    return isRight(ticket) ? `label-${ticket % 3}` : 'wrong'
  }
  const options = { delayMs: 5, concurrency: 4 }
  const current = await pricedModel(
    service.client,
    'current',
    answer(function current() {
      return true
    }),
    10_000_000,
    options,
  )
  const good = await pricedModel(
    service.client,
    'good',
    answer(function good(i) {
      return i % 25 !== 7
    }),
    1_000_000,
    options,
  )
  const poor = await pricedModel(
    service.client,
    'poor',
    answer(function poor(i) {
      return i % 3 !== 1
    }),
    1_000_000,
    options,
  )
  const connection = (id: string) => ({ kind: 'connection' as const, connection_id: id })
  const candidates = [
    { label: 'good', model: connection(good.id) },
    { label: 'poor', model: connection(poor.id) },
  ]
  const create = async () => {
    const { call, ...body } = newSession(100)
    if (!call) throw new Error('A session has a call.')
    const objective = { margin: 0.15 }
    return (
      await service.client.call('createTuneSession', { body: { ...body, call: { ...call, model: connection(current.id) }, objective } })
    ).id
  }
  const calm = decided(await raceToEnd(service.client, await create(), candidates))
  counting = true
  const session_id = await create()
  const { job_id } = await startRace(service.client, session_id, candidates)
  await during
  await service.kill()
  service = await startChildService(folder.path)
  await jobEnd(service.client, job_id ?? '')
  const session = await service.client.call('getTuneSession', { params: { session_id } })
  expect(decided(session)).toEqual(calm)
  expect(calm.recommended).toBe('good')
  let inFlight = 0
  for (const { run_id } of session.groups[0]?.arms ?? [])
    inFlight += (await service.client.call('getRun', { params: { run_id } })).accounting.possibly_billed_twice
  expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(inFlight)
  // Four of each of the three models, and what was answered within the group that was not yet durable.
  expect(inFlight).toBeLessThanOrEqual(12 + fullGroup)
  await service.stop()
  for (const { server } of [current, good, poor]) await server.close()
  folder.remove()
})

test.runIf(everyKill)(
  'an approval with auto whose service is killed at once is quoted and raced once (in npm run test:faults)',
  async () => {
    const folder = temporaryFolder()
    let service = await startChildService(folder.path)
    const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1]) % 3}`
    const current = await pricedModel(service.client, 'current', label, 10_000_000)
    const cheap = await pricedModel(service.client, 'cheap', label, 1_000_000)
    const connection = (id: string) => ({ kind: 'connection' as const, connection_id: id })
    const { call, ...body } = newSession(60)
    if (!call) throw new Error('A session has a call.')
    const draft = { ...body, call: { ...call, model: connection(current.id) }, objective: { margin: 0.2 } }
    const { id: session_id } = await service.client.call('createTuneSession', { body: draft })
    const params = { session_id }
    const auto = { candidates: [{ label: 'cheap', model: connection(cheap.id) }], max_charge_microusd: '0' }
    const { job_id } = await service.client.call('approveTuneSession', { params, body: { revision: 1, auto } })
    await service.kill()
    service = await startChildService(folder.path)
    await jobEnd(service.client, job_id ?? '')
    const racing = await service.client.call('getTuneSession', { params })
    await jobEnd(service.client, racing.job_id ?? '')
    const session = await service.client.call('getTuneSession', { params })
    expect(session).toMatchObject({ status: 'complete', problem: null, conclusion: { recommended: 'cheap' } })
    expect(session.groups).toHaveLength(1)
    expect((await service.client.call('listRuns', { query: { limit: 10 } })).items).toHaveLength(2)
    await service.stop()
    for (const { server } of [current, cheap]) await server.close()
    folder.remove()
  },
)
