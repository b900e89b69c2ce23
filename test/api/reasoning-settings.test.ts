import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../journeys/model-server/listen.ts'
import { importFiles } from '../support/imports.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let endpoint: Awaited<ReturnType<typeof listen>>
/** What the endpoint answers. */
let message: object = {}

beforeAll(async () => {
  service = await startTestService()
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
    response.end(JSON.stringify({ model: 'm', choices, usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 } }))
  })
  endpoint = await listen(server, 0)
})
afterAll(async () => {
  await service.close()
  await endpoint.close()
})

const metrics = [{ scorer: 'assay/includes' }]

/** The only sample of a run over one task whose answer is "42", with what the profile says of reasoning. */
async function answered(settings: object, said: object, name: string) {
  message = said
  const { client, baseUrl } = service
  const { id } = await client.call('createConnection', { body: { name, base_url: `${endpoint.baseUrl}/v1`, model: 'm' } })
  await client.call('checkConnection', { params: { connection_id: id } })
  const profile = JSON.stringify({ metrics, ...settings })
  const record = await importFiles(service, { format: 'jsonl', name, profile }, [
    { name: 'one.jsonl', content: JSON.stringify({ id: '1', input: 'What is 6 × 7?', target: '42' }) },
  ])
  const { profiles } = await client.call('getBenchmark', { params: { slug: record.slug ?? '' } })
  const [of] = profiles
  if (!of) throw new Error('The import has no profile.')
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [of.id],
    execution: { max_attempts: 1, cache: false },
  })
  const { id: runId } = await submit(client, quoteId, name)
  const read = async () => {
    const [listed] = (await client.call('listSamples', { params: { run_id: runId }, query: {} })).items
    return await client.call('getSample', { params: { run_id: runId, sample_id: listed?.id ?? '' } })
  }
  await runToEnd(client, baseUrl, runId)
  const sample = await read()
  await client.call('regradeRun', { params: { run_id: runId }, body: {} })
  await runToEnd(client, baseUrl, runId)
  await expect.poll(async () => (await client.call('getRun', { params: { run_id: runId } })).result_version).toBe(2)
  return { profile: of, sample, regraded: await read() }
}

const thought = { content: 'I am done.', reasoning_content: 'So it is 42' }
const inText = { content: '<think>So it is 42</think>I am done.' }
const only = { content: '', reasoning_content: 'So it is 42' }

describe.each([
  ['as usual is neither kept nor graded', {}, thought, 0, 'I am done.', []],
  ['as usual is taken out of the text', {}, inText, 0, 'I am done.', []],
  ['is graded with the answer', { grade: 'output_and_reasoning' }, thought, 1, 'I am done.', []],
  ['is graded without an answer', { grade: 'output_and_reasoning' }, only, 1, '', []],
  ['is missing an answer where it is not graded', {}, only, 0, '', ['answer_missing']],
  ['stays in the text', { reasoning: 'as_text' }, inText, 1, inText.content, []],
] as const)('reasoning', (name, settings, said, value, output, notices) => {
  test(`${name}, and when it is graded again`, async () => {
    const { profile, sample, regraded } = await answered(settings, said, `Reasoning ${name}`)
    expect(sample.output).toBe(output)
    expect(sample.notices.map(({ code }) => code)).toEqual(notices)
    expect(sample.scores.map(score => score.value)).toEqual([value])
    expect(regraded.scores.map(score => score.value)).toEqual([value])
    expect(profile.generation).toMatchObject(settings)
    expect(Object.keys(profile.generation).length).toBe(3 + Object.keys(settings).length)
  })
})

test('a quote of a model that thought at its check says that thinking needs room', async () => {
  const { client } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const quoted = async (said: object, name: string) => {
    message = said
    const { id } = await client.call('createConnection', { body: { name, base_url: `${endpoint.baseUrl}/v1`, model: 'm' } })
    const { last_check } = await client.call('checkConnection', { params: { connection_id: id } })
    const { compatibility } = await quote(client, { model: { kind: 'connection', connection_id: id }, profiles: [profile] })
    return { reasons: last_check?.reasons, check: compatibility.checks.find(({ check }) => check === 'output_limit') }
  }
  expect(await quoted(thought, 'Thinks')).toEqual({
    reasons: true,
    check: { check: 'output_limit', profile_id: profile, status: 'warn', detail: expect.stringContaining('Allow 4096 or more.') },
  })
  expect(await quoted({ content: 'ready' }, 'Does not think')).toMatchObject({ reasons: false, check: { status: 'pass' } })
})
