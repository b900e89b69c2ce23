import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { connectJudge, type JudgeChat, type JudgeReply, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const samples = 6

/** Every verdict of a run that the evaluator grades, with its notices, and how often its server was asked meanwhile. */
async function gradedBy({ id: evaluator, asked }: Grader) {
  const { client, baseUrl } = service
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
    execution: { evaluators: [evaluator] },
  })
  const { id } = await submit(client, quoteId)
  const { status } = await runToEnd(client, baseUrl, id)
  const params = { run_id: id }
  const { items } = await client.call('listSamples', { params, query: { limit: samples } })
  const details = await Promise.all(items.map(sample => client.call('getSample', { params: { ...params, sample_id: sample.id } })))
  const { notices, metrics } = await client.call('getRunResults', { params, query: {} })
  const by = metrics.find(metric => metric.evaluator !== undefined)?.metric
  const verdicts = Object.fromEntries(
    details.map(({ task_id, score_details }) => [task_id, score_details.find(({ metric }) => metric === by)?.value]),
  )
  return { status, verdicts, asked: asked(), notices: new Map(notices.map(({ code, message }) => [code, message])) }
}

/** Calls of the judges of an evaluator. */
function recordedCalls({ id }: Grader): unknown {
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  try {
    return db.prepare('select count(*) from judge_calls where evaluator_version_id = ?').pluck().get(id)
  } finally {
    db.close()
  }
}

/** Right or wrong by the length of what is graded, so that a verdict that goes astray is seen. */
const isRight = (text: string) => text.length % 2 === 0
const verdictOn = (chat: JudgeChat) => `VERDICT: ${isRight(materialOf(chat)[0] ?? '') ? 'pass' : 'fail'}`

/** An evaluator, and how often its server was asked. */
interface Grader {
  readonly id: string
  readonly asked: () => number
}

async function judgeThat(reply: (chat: JudgeChat, n: number) => JudgeReply): Promise<Grader> {
  const judge = await startJudge(reply)
  onTestFinished(() => judge.close())
  const { id } = await saveJudge(service.client, await connectJudge(service.client, judge))
  return { id, asked: () => judge.asked.length }
}

/** @param fate of the n-th request: answered, or its connection ended before a reply or within it */
async function scorerThat(fate: (n: number) => 'answers' | 'is silent' | 'dies within its reply'): Promise<Grader> {
  let asked = 0
  const server = createServer((request, response) => {
    const answer = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const how = fate(++asked)
      if (how === 'is silent') return request.socket.destroy()
      const { sample } = JSON.parse(Buffer.concat(chunks).toString())
      const reply = JSON.stringify({ status: 'scored', scores: [{ name: 'even', value: isRight(String(sample.input)) }] })
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length })
      if (how === 'answers') return response.end(reply)
      return response.write(reply.slice(0, 20), () => request.socket.destroy())
    }
    void answer()
  })
  const running = await listen(server, 0)
  onTestFinished(() => running.close())
  const { client } = service
  const { id } = await client.call('createRemoteScorer', { body: { name: 'Ours', url: `${running.baseUrl}/score` } })
  const definition = { kind: 'remote' as const, remote_scorer_id: id, options: {} }
  return { id: (await client.call('createEvaluator', { body: { name: 'Remote', definition } })).id, asked: () => asked }
}

test('a judge whose connections are reset gives the verdicts of a calm run', async () => {
  const calm = await gradedBy(await judgeThat(verdictOn))
  const seen = new Map<string, number>()
  const judge = await judgeThat(chat => {
    const key = JSON.stringify(chat.messages)
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times === 1 ? null : verdictOn(chat)
  })
  const reset = await gradedBy(judge)
  expect(new Set(Object.values(calm.verdicts))).toEqual(new Set([0, 1]))
  expect(calm.asked).toBe(samples)
  expect(reset).toEqual({ ...calm, asked: 2 * samples })
  expect(recordedCalls(judge)).toBe(reset.asked)
})

test('a judge whose replies are cut off gives the verdicts of a calm run', async () => {
  const calm = await gradedBy(await judgeThat(verdictOn))
  const judge = await judgeThat((chat, n) => (n <= samples ? { body: '{"choices": [{"message": {"content": "VERD' } : verdictOn(chat)))
  const cut = await gradedBy(judge)
  expect(cut).toEqual({ ...calm, asked: 2 * samples })
  expect(recordedCalls(judge)).toBe(cut.asked)
})

test('a judge that is gone for good leaves its outputs unscored, and the result says how many', async () => {
  const judge = await judgeThat(() => ({ status: 404 }))
  const { status, verdicts, notices, asked } = await gradedBy(judge)
  expect(recordedCalls(judge)).toBe(asked)
  expect(status).toBe('complete')
  expect(new Set(Object.values(verdicts))).toEqual(new Set([null]))
  expect(notices.get('judge_lost')).toContain(`${samples} of ${samples} answers have no verdict`)
})

test.each(['is silent', 'dies within its reply'] as const)('a remote scorer that %s gives the scores of a calm run', async how => {
  const calm = await gradedBy(await scorerThat(() => 'answers'))
  const lost = await gradedBy(await scorerThat(n => (n === 1 ? how : 'answers')))
  expect(new Set(Object.values(calm.verdicts))).toEqual(new Set([0, 1]))
  expect(lost).toEqual({ ...calm, asked: calm.asked + 1 })
})

test('a remote scorer that dies within every reply leaves its outputs unscored, and the result says how many', async () => {
  const { status, verdicts, notices } = await gradedBy(await scorerThat(() => 'dies within its reply'))
  expect(status).toBe('complete')
  expect(new Set(Object.values(verdicts))).toEqual(new Set([null]))
  expect(notices.get('scorer_lost')).toContain(`${samples} of ${samples} answers have no verdict`)
})
