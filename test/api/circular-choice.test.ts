import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { makePng } from '../support/media.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const colors = ['red', 'green', 'blue', 'white']
const questions = 12
const million = 1_000_000

/** As VLMEvalKit writes it: each question as often as it has choices, rotated, with the picture in the first row alone. */
function table(): string {
  const picture = makePng([200, 10, 10], { width: 16, height: 16 }).toString('base64')
  const rows = Array.from({ length: questions }, (_, q) =>
    colors.map((_color, turn) => {
      const choices = colors.map((_each, i) => colors[(i + turn) % 4] ?? '')
      const answer = 'ABCD'.charAt(choices.indexOf(colors[q % 4] ?? ''))
      return [turn * million + q, `What is thing ${q}?`, ...choices, answer, 'color', 'perception', turn === 0 ? picture : q].join('\t')
    }),
  )
  return ['index\tquestion\tA\tB\tC\tD\tanswer\tcategory\tl2-category\timage', ...rows.flat()].join('\n')
}

async function run(answer: (question: string) => string) {
  const { client } = service
  const models = await startModelServer({ answers: content => answer(JSON.stringify(content)) })
  const { id } = await client.call('createConnection', { body: { name: 'colors', base_url: models.baseUrl, model: 'replay' } })
  await client.call('checkConnection', { params: { connection_id: id } })
  const profiles = [await profileId(client, 'mmbench', 'zero-shot')]
  const quoted = await quote(client, { model: { kind: 'connection', connection_id: id }, profiles, execution: { cache: false } })
  const ended = await runToEnd(client, service.baseUrl, (await submit(client, quoted.id)).id)
  await models.close()
  return client.call('getRunResults', { params: { run_id: ended.id } })
}

/** The letter of the thing's color as the choices stand. */
function right(question: string): string {
  const color = colors[Number(/thing (\d+)/.exec(question)?.[1]) % 4] ?? ''
  return new RegExp(`([A-D])\\) ${color}`).exec(question)?.[1] ?? ''
}

test('a question counts only where all its rotations are right, in results and in comparisons', async () => {
  const { client } = service
  const record = await importToEnd(service, { fields: { recipe: 'mmbench' }, files: [{ name: 'mmbench.tsv', content: table() }] })
  expect(record).toMatchObject({ status: 'imported', errors: [], media: { files: 1 } })

  const figures = ({ metrics }: Awaited<ReturnType<typeof run>>) =>
    metrics.map(({ metric, estimate }) => [metric, estimate.n, estimate.mean, estimate.interval?.method])
  const all = await run(right)
  expect(figures(all)).toEqual([
    ['circular', questions, 1, 'wilson'],
    ['choice', 4 * questions, 1, expect.any(String)],
  ])
  // Always A is right once in four rotations, which a figure of single answers rewards.
  const first = await run(() => 'A')
  expect(figures(first)).toEqual([
    ['circular', questions, 0, 'wilson'],
    ['choice', 4 * questions, 0.25, expect.any(String)],
  ])
  // One of the four rotations of every third question is wrong.
  const most = await run(question =>
    Number(/thing (\d+)/.exec(question)?.[1]) % 3 === 0 && question.includes('A) red') ? 'none' : right(question),
  )
  const [circular, choice] = most.metrics
  expect(circular?.estimate.mean).toBeLessThan(choice?.estimate.mean ?? 0)

  const comparison = await client.call('createComparison', {
    body: { name: 'rotations', baseline_id: first.run_id, run_ids: [first.run_id, most.run_id] },
  })
  const { differences } = await client.call('getComparison', { params: { comparison_id: comparison.id } })
  const difference = differences.find(({ metric }) => metric === 'circular')
  expect(difference).toMatchObject({ headline: true, baseline_mean: 0 })
  expect(difference?.contender_mean).toBeCloseTo(circular?.estimate.mean ?? Number.NaN, 12)
})
