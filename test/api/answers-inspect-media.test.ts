import { afterAll, beforeAll, expect, test } from 'vitest'
import { importAnswers } from '../support/answers.ts'
import { makePdf, makePng, makeWav } from '../support/media.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const png = makePng([200, 10, 10])
const searched = { type: 'tool_use', tool_type: 'web_search', id: 's1', name: 'web_search', arguments: '{"q":"x"}', result: '[]' }
const sample = (id: string, input: unknown, more: object = {}) => ({
  id,
  epoch: 1,
  input,
  target: 'yes',
  output: { choices: [{ message: { role: 'assistant', content: 'yes' }, stop_reason: 'stop' }] },
  scores: { match: { value: 'C' } },
  ...more,
})
const shows = (...parts: readonly object[]) => [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] }]
const samples = [
  sample('attached image', shows({ type: 'image', image: 'attachment://abc', detail: 'auto' }), {
    attachments: { abc: `data:image/png;base64,${base64(png)}` },
  }),
  sample('same image', shows({ type: 'image', image: `data:image/png;base64,${base64(png)}` })),
  sample('audio', shows({ type: 'audio', audio: `data:audio/wav;base64,${base64(makeWav(100))}`, format: 'wav' })),
  sample('document', shows({ type: 'document', document: `data:application/pdf;base64,${base64(makePdf(1))}`, filename: 'a.pdf' })),
  sample('searched', [
    { role: 'user', content: 'Find x.' },
    {
      role: 'assistant',
      content: [{ type: 'reasoning', reasoning: 'Hm.' }, { type: 'data', data: {} }, searched, { type: 'text', text: 'None.' }],
    },
    { role: 'user', content: 'Are you sure?' },
  ]),
  sample('video', shows({ type: 'video', video: 'a.mp4', format: 'mp4' })),
  sample('address', shows({ type: 'image', image: 'https://example.com/a.png' })),
]
const log = (model: string) =>
  JSON.stringify({
    version: 2,
    status: 'success',
    eval: { task: 'shown', model, scorers: [{ name: 'match' }], packages: { inspect_ai: '0.3.133' } },
    results: { total_samples: samples.length },
    samples,
  })

test('a log of Inspect keeps what its questions show; what cannot be kept is left out by name', async () => {
  const record = await importAnswers(service, {}, [{ name: 'shown.json', content: log('one') }])
  expect(record).toMatchObject({ status: 'imported', rows: { read: 5 }, benchmarks: [{ tasks: 5 }] })
  const left = record.warnings.filter(text => text.startsWith('Left out'))
  expect(left).toEqual([
    expect.stringMatching(/"video".*a video, which is not supported/),
    expect.stringMatching(/"address".*example\.com/),
  ])
  const runId = record.runs[0]?.run_id ?? ''
  const { items } = await service.client.call('listSamples', { params: { run_id: runId } })
  const details = await Promise.all(items.map(({ id }) => service.client.call('getSample', { params: { run_id: runId, sample_id: id } })))
  const digests = [...new Set(JSON.stringify(details.map(({ messages }) => messages)).match(/sha256:[0-9a-f]{64}/g))]
  expect(digests).toHaveLength(3)
  const replies = await Promise.all(digests.map(digest => service.fetch(`/v1/media/${digest}`)))
  const bytes = await Promise.all(replies.map(async reply => Buffer.from(await reply.arrayBuffer())))
  expect(bytes.some(one => one.equals(Buffer.from(png)))).toBe(true)
  expect(JSON.stringify(details)).toMatch(/tool_call.*web_search.*None\..*Are you sure/)
})

test('the log of another model shares its version, media and all', async () => {
  const record = await importAnswers(service, {}, [{ name: 'shown.json', content: log('two') }])
  expect(record.benchmarks[0]).toMatchObject({ already_present: true })
})
