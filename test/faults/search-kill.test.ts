import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { fullGroup } from '../../src/engine/execution/scheduler/journal.ts'
import { startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { connectJudge, jobEnd, materialOf, startJudge } from '../support/judging.ts'
import { temporaryFolder } from '../support/service.ts'
import { newSession, pricedModel } from '../support/tuning.ts'

const tried = ({ search }: TuneSession) =>
  search?.prompts.map(({ number, prompt, parent, outcome, training, races }) => ({ number, prompt, parent, outcome, training, races }))

test.runIf(everyKill)(
  'a prompt search whose service is killed tries the same prompts, and asks nothing twice but what was in flight (in npm run test:faults)',
  async () => {
    const folder = temporaryFolder()
    let service = await startChildService(folder.path)
    const ticketOf = (text: string) => Number(/Ticket (\d+)/.exec(text)?.[1] ?? 0)
    const { promise: during, resolve: reached } = Promise.withResolvers<void>()
    let counting = false
    const calmly: string[] = []
    const asked: string[] = []
    const answer = (question: string) => {
      const log = counting ? asked : calmly
      log.push(question)
      if (asked.length === 45) reached()
      const ticket = ticketOf(question)
      // The longer the prompt says it, the more is right.
      return ticket % 4 < (question.match(/better/g)?.length ?? 0) + 1 ? `label-${ticket % 3}` : 'wrong'
    }
    const current = await pricedModel(service.client, 'current', question => `label-${ticketOf(question) % 3}`, 10_000_000)
    const cheap = await pricedModel(service.client, 'cheap', answer, 1_000_000, { delayMs: 5, concurrency: 4 })
    // What is proposed depends on nothing but what is shown.
    const judge = await startJudge(chat => {
      const shown = materialOf(chat)
      const hash = createHash('sha256').update(shown.join()).digest('hex').slice(0, 8)
      const better = 'better '.repeat((shown[0]?.match(/better/g)?.length ?? 0) + (Number.parseInt(hash, 16) % 2))
      return `<prompt>${better}${hash}: {input}</prompt>`
    })
    const judgeId = await connectJudge(service.client, judge)
    const connection = (id: string) => ({ kind: 'connection' as const, connection_id: id })
    const begin = async () => {
      const { call, ...body } = newSession(50)
      if (!call) throw new Error('A session has a call.')
      const { id: session_id } = await service.client.call('createTuneSession', {
        body: { ...body, call: { ...call, model: connection(current.id) }, objective: { margin: 0.3, seed: 5 } },
      })
      const params = { session_id }
      await service.client.call('approveTuneSession', { params, body: { revision: 1 } })
      const quote = await service.client.call('createTuneQuote', {
        params,
        body: {
          candidates: [{ label: 'cheap', model: connection(cheap.id) }],
          max_charge_microusd: '0',
          optimize: { reflection_model: connection(judgeId), max_calls: 120 },
        },
      })
      const headers = { 'idempotency-key': crypto.randomUUID() }
      return service.client.call('startTuneGroup', { params, body: { quote_id: quote.id }, headers })
    }
    const searched = async ({ id, job_id }: TuneSession) => {
      await jobEnd(service.client, job_id ?? '')
      return service.client.call('getTuneSession', { params: { session_id: id } })
    }
    const calm = await searched(await begin())
    await jobEnd(service.client, calm.job_id ?? '')
    const reflections = judge.asked.length
    counting = true
    const started = await begin()
    await during
    await service.kill()
    service = await startChildService(folder.path)
    const session = await searched(started)
    await jobEnd(service.client, session.job_id ?? '')
    expect(tried(session)).toEqual(tried(calm))
    expect(session.search?.calls).toBe(calm.search?.calls)
    expect(judge.asked.length).toBeLessThanOrEqual(2 * reflections + 1)
    // The race runs on other cases than the search.
    const params = { run_id: session.groups[0]?.arms[0]?.run_id ?? '' }
    const { items } = await service.client.call('listSamples', { params, query: { limit: 100 } })
    const heldOut = new Set(items.map(({ task_id }) => Number(task_id.replace('case-', ''))))
    const trained = (questions: readonly string[]) => questions.filter(question => !heldOut.has(ticketOf(question))).length
    expect(trained(calmly)).toBeGreaterThan(45)
    // Four in flight, and what was answered within the group that was not yet durable.
    expect(trained(asked)).toBeLessThanOrEqual(trained(calmly) + 4 + fullGroup)
    await service.stop()
    for (const { server } of [current, cheap]) await server.close()
    await judge.close()
    folder.remove()
  },
)
