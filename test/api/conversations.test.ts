import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const land = (name: string, rows: readonly object[], fields: Record<string, string> = {}) =>
  importToEnd(service, {
    fields: { format: 'jsonl', name, ...fields },
    files: [{ name: 'x.jsonl', content: rows.map(row => JSON.stringify(row)).join('\n') }],
  })

async function connect(answers: (question: string) => string, more: object = {}): Promise<string> {
  const models = await startModelServer({ answers })
  const { id } = await service.client.call('createConnection', {
    body: { name: 'scripted', base_url: models.baseUrl, model: 'replay', ...more },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  return id
}

async function firstSample(slug: string, connection: string) {
  const { client, baseUrl } = service
  const quoted = await quote(client, {
    model: { kind: 'connection', connection_id: connection },
    profiles: [await profileId(client, slug, 'zero-shot')],
  })
  const { id } = await submit(client, quoted.id, slug)
  const run = await runToEnd(client, baseUrl, id)
  const { items } = await client.call('listSamples', { params: { run_id: id }, query: { limit: 10 } })
  return { quoted, run, sample: await client.call('getSample', { params: { run_id: id, sample_id: items[0]?.id ?? '' } }) }
}

const conversation = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Weather in Rome?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
  { role: 'user', content: 'So?' },
]
const parts = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Weather in Rome?' },
  { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' }] },
  { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
  { role: 'user', content: 'So?' },
]

test('an imported conversation is asked, graded and shown as one', async () => {
  const record = await land('Chats', [
    { messages: [...conversation, { role: 'assistant', content: 'Sunny.' }] },
    { messages: [...conversation, { role: 'assistant', content: 'Rain.' }] },
  ])
  expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 }, mapping: { input: 'messages' } })
  const { run, sample } = await firstSample('chats', await connect(() => 'Sunny.'))
  expect(sample).toMatchObject({ messages: parts, output: 'Sunny.', targets: ['Sunny.'], passed: true })
  expect(run.status).toBe('complete')
  const { messages } = JSON.parse(sample.attempt_log[0]?.request ?? '') as { messages: object[] }
  expect(messages).toEqual([
    conversation[0],
    conversation[1],
    { role: 'assistant', content: '', tool_calls: conversation[2]?.tool_calls },
    conversation[3],
    conversation[4],
  ])
})

test('a quote says how many tasks a protocol cannot send', async () => {
  await land('Mixed', [
    { messages: conversation, answer: 'Sunny.' },
    { messages: conversation.slice(0, 2), answer: 'Sunny.' },
  ])
  const connection = await connect(() => 'x', { protocol: 'openai_completions' })
  const { compatibility } = await quote(service.client, {
    model: { kind: 'connection', connection_id: connection },
    profiles: [await profileId(service.client, 'mixed', 'zero-shot')],
  })
  expect(compatibility.checks.find(({ status, detail }) => status === 'fail' && detail.includes('cannot be sent'))?.detail).toBe(
    '1 of 2 tasks cannot be sent: scripted takes no tool calls in a conversation (protocol openai completions). Choose another model, or tasks without them.',
  )
})

test('scripted turns are each asked after the answer before, and the last is graded', async () => {
  const record = await land(
    'Follow-ups',
    [
      { turns: ['Two and two?', 'Are you sure?'], target: 'Yes, 4' },
      { turns: ['Three?'], target: '3' },
    ],
    { mapping: JSON.stringify({ input: 'turns', target: 'target' }) },
  )
  expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 } })
  const { quoted, sample } = await firstSample(
    'follow-ups',
    await connect(question => (question === 'Are you sure?' ? 'Yes, 4' : question === 'Three?' ? '3' : '4')),
  )
  expect(quoted.counts).toMatchObject({ samples: 2, model_calls: 3 })
  expect(sample).toMatchObject({
    messages: [
      { role: 'user', content: 'Two and two?' },
      { role: 'assistant', content: '4' },
      { role: 'user', content: 'Are you sure?' },
    ],
    output: 'Yes, 4',
    passed: true,
    attempts: 1,
  })
  const [attempt] = sample.attempt_log
  expect(attempt?.earlier_calls).toHaveLength(1)
  expect(JSON.parse(attempt?.request ?? '')).toMatchObject({ messages: sample.messages })
})

test('scripted turns with reference answers of their own are each graded', async () => {
  const record = await land('Each turn', [{ turns: ['Two and two?', 'And three?', 'Are you sure?'], gold: ['4', null, ['Yes', 'Sure']] }], {
    mapping: JSON.stringify({ input: 'turns', turn_targets: 'gold' }),
  })
  expect(record).toMatchObject({ status: 'imported', rows: { valid: 1 } })
  const { sample, run } = await firstSample(
    'each-turn',
    await connect(question => (question === 'Two and two?' ? '5' : question === 'And three?' ? '8' : 'Sure')),
  )
  expect(sample).toMatchObject({ targets: ['Yes', 'Sure'], passed: false })
  expect(sample.score_details.map(({ value }) => value)).toContain(0.5)
  expect(sample.score_details[0]?.explanation).toMatch(/^Turn 1: .* Turn 3: /)
  const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id }, query: {} })
  expect(metrics[0]).toMatchObject({ scorer: 'assay/each_turn', estimate: { n: 1, mean: 0.5 } })
})

test('reference answers of turns are refused where they do not fit', async () => {
  const refusal = async (gold: unknown, mapping: object = {}) => {
    const { status, errors } = await land('Not fitting', [{ turns: ['One?', 'Two?'], gold, answer: '2' }], {
      mapping: JSON.stringify({ input: 'turns', turn_targets: 'gold', ...mapping }),
    })
    return `${status} ${errors[0]?.message}`
  }
  expect(await refusal(['1'])).toContain('failed "gold" has 1 entries and the task has 2 turns')
  expect(await refusal('1')).toContain('must be a list with the reference answers of each turn')
  expect(await refusal([null, null])).toContain('has a reference answer')
  expect(await refusal(['1', '2'], { target: 'answer' })).toContain('has the reference answers of all turns')
})
