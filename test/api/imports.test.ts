import { gzipSync } from 'node:zlib'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService } from '../support/service.ts'
import { gsm8kLines, importEnd, importToEnd, upload } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const recipe = { recipe: 'gsm8k' }
const testFile = (content: string) => ({ name: 'test.jsonl', content })
const Refusal = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])) })).optional(),
})
const refusal = async (reply: Response) => ({ status: reply.status, ...Refusal.parse(await reply.json()) })
const versions = async () => (await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })).versions

describe('importing through a recipe', () => {
  test('previews without leaving anything behind', async () => {
    const record = await importToEnd(service, { fields: { ...recipe, dry_run: 'true' }, files: [testFile(gsm8kLines(30))] })
    expect(record).toMatchObject({
      status: 'previewed',
      dry_run: true,
      rows: { read: 30, valid: 30, invalid: 0 },
      source_ref: null,
      slug: 'gsm8k',
      error_count: 0,
    })
    expect(record.columns).toEqual(['question', 'answer'])
    expect(record.preview).toHaveLength(20)
    expect(record.preview[1]).toMatchObject({ line: 2, task_id: 'test-0002', input: 'What is 1 plus 1?', targets: ['2'], choices: null })
    expect(await versions()).toEqual([])
    expect(uploadsLeft()).toEqual([])
  })

  test('lands whole, with checksums, as a version named by its content', async () => {
    const record = await importToEnd(service, { fields: recipe, files: [testFile(gsm8kLines(40))] })
    expect(record).toMatchObject({ status: 'imported', already_present: false })
    expect(record.files).toEqual([expect.objectContaining({ role: 'test', name: 'test.jsonl', checksum: 'differs_from_upstream' })])
    expect(record.warnings.join()).toContain('"test.jsonl" is not the file that upstream published')
    expect(record.source_ref).toMatch(/^eval:\/\/openai\/gsm8k\/[0-9a-f]{12}$/)
    const benchmark = await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })
    expect(benchmark.latest_version).toMatchObject({ source_ref: record.source_ref, task_counts: { test: 40 }, files: record.files })
    expect(benchmark.latest_version?.digest.slice(0, 12)).toBe(benchmark.latest_version?.version)
    const ready = benchmark.profiles.map(({ id, quote_availability }) => [id.split(':')[1], quote_availability.status])
    expect(ready).toEqual([
      ['zero-shot', 'ready_for_quote'],
      ['5-shot', 'data_required'],
      ['answer-line', 'ready_for_quote'],
    ])
    expect(uploadsLeft()).toEqual([])
  })

  test('returns the existing version for the same content under another name or compression', async () => {
    const first = await importToEnd(service, { fields: recipe, files: [testFile(gsm8kLines(41))] })
    const again = await importToEnd(service, { fields: recipe, files: [{ name: 'my-test.jsonl.gz', content: packed(gsm8kLines(41)) }] })
    expect(again).toMatchObject({ status: 'imported', already_present: true, source_ref: first.source_ref })
    expect((await versions()).filter(version => version.source_ref === first.source_ref)).toHaveLength(1)
  })

  test('makes another version when the worked examples come too, and then the 5-shot profile is ready', async () => {
    const files = [testFile(gsm8kLines(42)), { name: 'train.jsonl', content: gsm8kLines(6) }]
    const alone = await importToEnd(service, { fields: recipe, files: files.slice(0, 1) })
    const both = await importToEnd(service, { fields: recipe, files })
    expect(both.source_ref).not.toBe(alone.source_ref)
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })
    const fiveShot = profiles.find(profile => profile.source_ref === both.source_ref && profile.shots === 5)
    expect(fiveShot?.quote_availability).toEqual({ status: 'ready_for_quote', reasons: [] })
  })

  test('gives the same version whichever file is sent first', async () => {
    const files = [testFile(gsm8kLines(43)), { name: 'train.jsonl', content: gsm8kLines(5) }]
    const one = await importToEnd(service, { fields: recipe, files })
    const other = await importToEnd(service, { fields: recipe, files: files.toReversed() })
    expect(other).toMatchObject({ already_present: true, source_ref: one.source_ref })
  })

  test('refuses another content under a version that exists', async () => {
    await importToEnd(service, { fields: { ...recipe, version: 'mine' }, files: [testFile(gsm8kLines(44))] })
    const record = await importToEnd(service, { fields: { ...recipe, version: 'mine' }, files: [testFile(gsm8kLines(45))] })
    expect(record.status).toBe('failed')
    expect(record.errors[0]?.message).toContain('already has a version "mine" with other content')
  })
})

describe('bad files', () => {
  test('names each wrong line by its number and imports nothing', async () => {
    const before = await versions()
    const lines = gsm8kLines(9).split('\n')
    lines[1] = '{"question": "no answer"}'
    lines[3] = '{"question": "broken", }'
    lines[5] = JSON.stringify({ question: 'no mark', answer: 'seven' })
    lines[7] = '[1, 2]'
    const record = await importToEnd(service, { fields: recipe, files: [testFile(lines.join('\r\n'))] })
    expect(record).toMatchObject({ status: 'failed', rows: { read: 9, valid: 5, invalid: 4 }, error_count: 4, source_ref: null })
    expect(record.errors).toEqual([
      { file: 'test.jsonl', line: 2, message: 'The field "answer" is missing.' },
      { file: 'test.jsonl', line: 4, message: 'Put a key in double quotes at column 24. The JSON breaks off there.' },
      { file: 'test.jsonl', line: 6, message: 'The field "answer" has no line "#### <number>" with the final answer.' },
      { file: 'test.jsonl', line: 8, message: 'An object is needed here but this is a list.' },
    ])
    expect(await versions()).toEqual(before)
  })

  test('lists a hundred errors and counts them all', async () => {
    const record = await importToEnd(service, { fields: recipe, files: [testFile('{}\n'.repeat(250))] })
    expect(record.errors).toHaveLength(100)
    expect(record.error_count).toBe(250)
  })

  test.each([
    ['is empty', '', 'The file holds no rows.', null],
    ['is not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d, 0x0a), 'The line is not UTF-8. Save the file as UTF-8 and import it again.', 1],
    [
      'is a cut-off gzip',
      packed(gsm8kLines(400)).slice(0, 900),
      'The file begins like gzip but cannot be unpacked: unexpected end of file.',
      null,
    ],
    [
      'is a gzip bomb',
      gzipSync(new Uint8Array(32 * 1024 * 1024)),
      'The file unpacks to more than 200 times its size, which real data does not; it was not read further.',
      null,
    ],
  ])('says so when the file %s', async (_, content, message, line) => {
    const record = await importToEnd(service, {
      fields: recipe,
      files: [{ name: 'test.jsonl', content: typeof content === 'string' ? content : new Uint8Array(content) }],
    })
    expect(record).toMatchObject({ status: 'failed', source_ref: null })
    expect(record.errors.at(-1)).toEqual({ file: 'test.jsonl', line, message })
  })

  test('refuses `__proto__` keys and leaves every object as it was', async () => {
    const record = await importToEnd(service, {
      fields: recipe,
      files: [testFile('{"question": "q", "answer": "#### 1", "__proto__": {"polluted": 1}}')],
    })
    expect(record.errors).toEqual([{ file: 'test.jsonl', line: 1, message: 'The JSON has a key "__proto__", which is refused.' }])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('forms that are refused at once', () => {
  test.each([
    ['no file', { fields: recipe }, 'body.file'],
    ['neither recipe nor format', { files: [testFile('{}')] }, 'body'],
    ['both recipe and format', { fields: { ...recipe, format: 'jsonl' }, files: [testFile('{}')] }, 'body'],
    ['an unknown recipe', { fields: { recipe: 'nonsense' }, files: [testFile('{}')] }, 'body.recipe'],
    [
      'two files of the same role',
      { fields: recipe, files: [testFile('{}'), { name: 'gsm8k_test.jsonl', content: '{"a":1}' }] },
      'body.file',
    ],
    [
      'a file that the recipe does not know',
      { fields: recipe, files: [testFile('{}'), { name: 'notes.txt', content: 'hello' }] },
      'body.file',
    ],
    ['only an optional file', { fields: recipe, files: [{ name: 'train.jsonl', content: '{}' }] }, 'body.file'],
    ['a mapping for a recipe', { fields: { ...recipe, mapping: '{"input":"question"}' }, files: [testFile('{}')] }, 'body.mapping'],
    ['a mapping that is no JSON', { fields: { format: 'jsonl', mapping: 'question' }, files: [testFile('{}')] }, 'body.mapping'],
    [
      'a mapping with an unknown part',
      { fields: { format: 'jsonl', mapping: '{"input":"q","prompt":"p"}' }, files: [testFile('{}')] },
      'body.mapping',
    ],
    ['a version with a slash', { fields: { ...recipe, version: '../1' }, files: [testFile('{}')] }, 'body.version'],
    ['dry_run that is no truth value', { fields: { ...recipe, dry_run: 'maybe' }, files: [testFile('{}')] }, 'body.dry_run'],
    ['an unknown field', { fields: { ...recipe, color: 'red' }, files: [testFile('{}')] }, 'body'],
    [
      'the name of a bundled benchmark',
      { fields: { format: 'jsonl', name: 'Arithmetic word problems' }, files: [testFile('{}')] },
      'body.name',
    ],
    [
      'two files for a format',
      { fields: { format: 'promptfoo_csv' }, files: [testFile('{}'), { name: 'b.csv', content: '{}' }] },
      'body.file',
    ],
  ])('%s', async (_, given, where) => {
    const { status, error, detail } = await refusal(await upload(service, given))
    expect({ status, code: error.code, where: detail?.[0]?.loc.join('.') }).toEqual({ status: 422, code: 'validation_error', where })
    expect(uploadsLeft()).toEqual([])
  })

  test('a body that is no form', async () => {
    const reply = await service.fetch('/v1/catalog/imports', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(await refusal(reply)).toMatchObject({ status: 415, error: { code: 'unsupported_media_type' } })
  })
})

describe('an Idempotency-Key', () => {
  test('answers the same import to the same form and refuses another', async () => {
    const given = { fields: recipe, files: [testFile(gsm8kLines(50))], headers: { 'idempotency-key': 'import-1' } }
    const first = z.object({ id: z.string() }).parse(await (await upload(service, given)).json())
    const again = z.object({ id: z.string() }).parse(await (await upload(service, given)).json())
    expect(again.id).toBe(first.id)
    expect(await importEnd(service, first.id)).toMatchObject({ status: 'imported', already_present: false })
    const other = await upload(service, { ...given, files: [testFile(gsm8kLines(51))] })
    expect(await refusal(other)).toMatchObject({ status: 422, error: { code: 'idempotency_mismatch' } })
  })
})

test('a file name is only shown, without folders and control characters', async () => {
  const record = await importToEnd(service, {
    fields: { ...recipe, dry_run: 'true' },
    files: [{ name: '../../etc/\u0007test.jsonl', content: gsm8kLines(1) }],
  })
  expect(record).toMatchObject({ status: 'previewed', files: [{ name: 'test.jsonl' }] })
})

test.each([
  ['between parts', 'content-disposition: form-data; name="recipe"\r\n\r\ngsm8k\r\n--cut'],
  ['within a file', 'content-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n{"question"'],
])('a form that is cut off %s is the sender’s fault and leaves nothing', async (_where, form) => {
  const reply = await service.fetch('/v1/catalog/imports', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
    body: `--cut\r\n${form}`,
  })
  expect(await refusal(reply)).toMatchObject({ status: 400, error: { code: 'malformed_request' } })
  expect(uploadsLeft()).toEqual([])
})

test('a form of too many parts is refused', async () => {
  const fields = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`field${i}`, 'x']))
  const reply = await upload(service, { fields, files: [testFile(gsm8kLines(1))] })
  expect(await refusal(reply)).toMatchObject({ status: 413, error: { code: 'payload_too_large' } })
})

test('an unknown import is not found', async () => {
  const error = await service.client.refusal('getImport', { params: { import_id: crypto.randomUUID() } })
  expect(error).toMatchObject({ status: 404, code: 'not_found' })
})

function packed(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(text))
}

/** Names of the folders that uploads have left on the disk. */
function uploadsLeft(): string[] {
  const folder = join(service.dataDir, 'uploads')
  return existsSync(folder) ? readdirSync(folder) : []
}
