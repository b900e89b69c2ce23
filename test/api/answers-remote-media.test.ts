import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { answersEnd, importAnswers, sendAnswers } from '../support/answers.ts'
import { makePng } from '../support/media.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let pictures: Server
let host = ''
let asked: string[] = []
/** Answers that wait until a test lets them go. */
let held: (() => void)[] = []

const colours = [makePng([200, 10, 10]), makePng([10, 200, 10])]

beforeAll(async () => {
  pictures = createServer((request, response) => {
    asked.push(request.url ?? '')
    const found = colours[Number(/^\/(\d)\.png$/.exec(request.url ?? '')?.[1] ?? 9)]
    if (request.url === '/held.png') held.push(() => response.writeHead(200).end(colours[0]))
    else response.writeHead(found ? 200 : 404).end(found)
  })
  await new Promise<void>(resolve => pictures.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(pictures.address() as AddressInfo).port}` // it listens on TCP
  service = await startTestService()
})
afterAll(async () => {
  await service.close()
  pictures.close()
})
beforeEach(() => {
  asked = []
  held = []
})

const shows = (url: string) => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image', image: url },
    ],
  },
]
const sample = (id: string, url: string | null) => ({
  id,
  epoch: 1,
  input: url === null ? 'And without a picture?' : shows(url),
  target: 'yes',
  output: { choices: [{ message: { role: 'assistant', content: 'yes' }, stop_reason: 'stop' }] },
  scores: { match: { value: 'C' } },
})
const logOf = (samples: readonly object[], task = 'shown') =>
  JSON.stringify({
    version: 2,
    status: 'success',
    eval: { task, model: 'm', scorers: [{ name: 'match' }], packages: { inspect_ai: '0.3.133' } },
    results: { total_samples: samples.length },
    samples,
  })
const samples = () => [
  sample('red', `http://${host}/0.png`),
  sample('green', `http://${host}/1.png`),
  sample('gone', `http://${host}/2.png`),
  sample('elsewhere', 'https://pictures.example/a.png'),
  sample('plain', null),
]
const importOf = (fields: Readonly<Record<string, string>>, content = logOf(samples())): Promise<AnswerImport> =>
  importAnswers(service, { format: 'inspect_log', ...fields }, [{ name: 'shown.json', content }])
const leftOut = ({ warnings }: AnswerImport): string[] => warnings.filter(text => text.startsWith('Left out'))

test('samples of a log that name media by address are left out until a yes with host and number', async () => {
  const record = await importOf({ name: 'Without' })
  expect(record).toMatchObject({
    status: 'imported',
    rows: { read: 1 },
    remote_hosts: 2,
    remote_media: [
      { host, files: 3, allowed: false, fetched: 0 },
      { host: 'pictures.example', files: 1, allowed: false, fetched: 0 },
    ],
  })
  expect(leftOut(record)).toHaveLength(4)
  expect(record.warnings).toContainEqual(
    `Samples name 3 media files at ${host}. Import again with "fetch_media" {"${host}": 3} to have them downloaded; otherwise Inspect samples that show them are left out, and promptfoo prompts keep the address as text.`,
  )
  const preview = await importOf({ name: 'Preview', dry_run: 'true', fetch_media: JSON.stringify({ [host]: 3 }) })
  expect(preview).toMatchObject({ status: 'previewed', rows: { read: 4 } })
  expect(preview.remote_media[0]).toEqual({ host, files: 3, allowed: true, fetched: 0 })
  expect(asked).toEqual([])
})

test('after a yes the files are downloaded, and a sample whose file cannot be had is left out with the reason', async () => {
  const record = await importOf({ name: 'With', fetch_media: JSON.stringify({ [host]: 3 }) })
  expect(record).toMatchObject({ status: 'imported', rows: { read: 3 } })
  expect(record.remote_media[0]).toEqual({ host, files: 3, allowed: true, fetched: 2 })
  expect(asked.toSorted()).toEqual(['/0.png', '/1.png', '/2.png'])
  expect(leftOut(record)).toEqual([
    expect.stringMatching(/"gone".*could not be fetched.*404/) as string,
    expect.stringMatching(/"elsewhere".*pictures\.example, which "fetch_media" does not name/) as string,
  ])
  expect(record.warnings).toContainEqual(expect.stringContaining('2 of 3 media files at') as string)
  const runId = record.runs[0]?.run_id ?? ''
  const { items } = await service.client.call('listSamples', { params: { run_id: runId } })
  const details = await Promise.all(items.map(({ id }) => service.client.call('getSample', { params: { run_id: runId, sample_id: id } })))
  const digests = JSON.stringify(details.map(({ messages }) => messages)).match(/sha256:[0-9a-f]{64}/g) ?? []
  const bytes = await Promise.all(
    [...new Set(digests)].map(async digest => Buffer.from(await (await service.fetch(`/v1/media/${digest}`)).arrayBuffer())),
  )
  expect(bytes.map(String).toSorted()).toEqual(colours.map(String).toSorted())
  const left = `${service.dataDir}/answer-uploads`
  await expect.poll(() => (existsSync(left) ? readdirSync(left) : [])).toEqual([])
  // The job that follows the download is the one that a record names.
  expect(await service.client.call('getJob', { params: { job_id: record.job_id } })).toMatchObject({
    kind: 'answer_import',
    state: 'succeeded',
  })
})

test('a yes to fewer files than the samples name downloads none and fails with the number', async () => {
  const record = await importOf({ name: 'Few', fetch_media: JSON.stringify({ [host]: 2 }) })
  expect(record).toMatchObject({ status: 'failed', error_count: 1 })
  expect(record.errors[0]?.message).toContain(`3 media files are at ${host}, and "fetch_media" allows 2.`)
  expect(asked).toEqual([])
})

test.each([
  ['what is no host', { format: 'inspect_log', fetch_media: '{"HTTP:":1}' }, 422],
  ['what is no JSON', { format: 'inspect_log', fetch_media: '{' }, 422],
])('a yes to %s is refused', async (_, fields, status) => {
  const reply = await sendAnswers(service, fields, [{ name: 'shown.json', content: logOf(samples()) }])
  expect(reply.status).toBe(status)
})

/** An import whose download waits. */
async function heldImport(name: string): Promise<AnswerImport> {
  const fields = { format: 'inspect_log', name, fetch_media: JSON.stringify({ [host]: 1 }) }
  const content = logOf([sample('held', `http://${host}/held.png`), sample('plain', null)], name)
  const reply = await sendAnswers(service, fields, [{ name: 'held.json', content }])
  expect(reply.status).toBe(202)
  const record = (await reply.json()) as AnswerImport // the reply of an accepted import is its record
  await expect.poll(() => held.length).toBe(1)
  return record
}

test('a download that a restart ends is begun again, and the import follows', async () => {
  const { id } = await heldImport('Restarted')
  await service.restart()
  await expect.poll(() => held.length).toBe(2)
  for (const release of held) release()
  expect(await answersEnd(service, id)).toMatchObject({ status: 'imported', rows: { read: 2 }, remote_media: [{ fetched: 1 }] })
})

test('a download that is cancelled fails its import, and leaves no files', async () => {
  const { id, job_id } = await heldImport('Cancelled')
  expect(await service.client.call('getJob', { params: { job_id } })).toMatchObject({ kind: 'answer_import_media', state: 'running' })
  await service.client.call('cancelJob', { params: { job_id } })
  expect(await answersEnd(service, id)).toMatchObject({ status: 'failed', runs: [] })
  expect(existsSync(`${service.dataDir}/answer-uploads/${id}`)).toBe(false)
})

test('what a failed import downloaded is not asked for again by the next', async () => {
  const shown = [sample('red', `http://${host}/0.png`), sample('held', `http://${host}/held.png`)]
  const fields = { format: 'inspect_log', fetch_media: JSON.stringify({ [host]: 2 }) }
  const reply = await sendAnswers(service, fields, [{ name: 'failed.json', content: logOf(shown, 'failed') }])
  const { id, job_id } = (await reply.json()) as AnswerImport // the reply of an accepted import is its record
  const media = `${service.dataDir}/answer-uploads/${id}/media`
  await expect.poll(() => (existsSync(media) ? readdirSync(media) : []).filter(name => !name.includes('.'))).toHaveLength(1)
  await expect.poll(() => held.length).toBe(1)
  await service.client.call('cancelJob', { params: { job_id } })
  expect(await answersEnd(service, id)).toMatchObject({
    status: 'failed',
    warnings: [expect.stringMatching(/^One downloaded media file is kept for 24 hours\..*again/) as string],
  })
  asked = []
  const again = await importOf({ name: 'Again', fetch_media: JSON.stringify({ [host]: 1 }) }, logOf(shown.slice(0, 1), 'again'))
  expect(again).toMatchObject({ status: 'imported', remote_media: [{ host, files: 1, fetched: 1 }] })
  expect(asked).toEqual([])
})

test('a host of a private network is for an owner or admin to name', async () => {
  const body = new FormData()
  body.set('format', 'inspect_log')
  body.set('fetch_media', '{"10.0.0.5":1}')
  body.set('file', new Blob([logOf(samples())]), 'shown.json')
  const byKey = await fetch(`${service.baseUrl}/v1/runs/imports`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${service.file.api_key}`, 'x-workspace-id': service.workspaceId },
  })
  expect([byKey.status, ((await byKey.json()) as { error: { code: string } }).error.code]).toEqual([403, 'human_approval_required']) // errors.ts
})

test('a table of outputs names no media, so a yes is refused', async () => {
  const fields = { profile_id: 'arithmetic-word-problems@1.0.0-seed20261101:zero-shot', format: 'jsonl', fetch_media: '{"a.example":1}' }
  const reply = await sendAnswers(service, fields, [{ name: 'a.jsonl', content: '{"id":"1","output":"x"}' }])
  expect([reply.status, await reply.text()]).toEqual([422, expect.stringContaining('is for logs')])
})

test('results of promptfoo keep an address as text, and say so, until a yes', async () => {
  const raw = JSON.stringify([{ role: 'user', content: [{ type: 'image_url', image_url: { url: `http://${host}/0.png` } }] }])
  const result = {
    testIdx: 0,
    promptIdx: 0,
    provider: { id: 'm' },
    prompt: { raw, label: 'p' },
    testCase: { vars: {}, assert: [{ type: 'equals', value: 'red' }] },
    response: { output: 'red' },
    success: true,
    score: 1,
    gradingResult: null,
    vars: {},
    latencyMs: 1,
    failureReason: 0,
  }
  const content = JSON.stringify({
    evalId: 'e',
    results: { version: 3, timestamp: '', prompts: [], results: [result], stats: {} },
    config: {},
  })
  const send = (fields: Readonly<Record<string, string>>) =>
    importAnswers(service, { format: 'promptfoo_results', ...fields }, [{ name: 'r.json', content }])
  const without = await send({ name: 'Text' })
  expect(without).toMatchObject({ status: 'imported', remote_media: [{ host, files: 1, allowed: false }] })
  const shown = await send({ name: 'Shown', fetch_media: JSON.stringify({ [host]: 1 }) })
  expect(shown).toMatchObject({ status: 'imported', remote_media: [{ host, files: 1, allowed: true, fetched: 1 }] })
  const inputs = await Promise.all(
    [without, shown].map(async ({ runs: [run] }) => {
      const { items } = await service.client.call('listSamples', { params: { run_id: run?.run_id ?? '' } })
      const detail = await service.client.call('getSample', { params: { run_id: run?.run_id ?? '', sample_id: items[0]?.id ?? '' } })
      return JSON.stringify(detail.messages)
    }),
  )
  expect(inputs[0]).toContain(`http://${host}/0.png`)
  expect(inputs[1]).toMatch(/"type":"image","media":"sha256:/)
})
