import { parquetReadObjects } from 'hyparquet'
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Results } from '../../src/contract/runs/results.schemas.ts'
import type { RunExportFormat } from '../../src/contract/runs/run-exports.schemas.ts'
import { openZip } from '../../src/engine/archives/read-zip.ts'
import { answersEnd, importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { profileId } from '../support/runs.ts'
import { appVersion } from '../../src/service/version.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

/** Outputs that would be markup, formulas or broken text in a careless export. */
const hostile = [
  '</failure><script>alert(1)</script>',
  '=HYPERLINK("http://x")',
  '\u0000\u001b[31mred\ud800',
  ']]>&amp;"\'',
  '| a | `b` |\n# c',
]

let service: TestService
let runId = ''
let results: Results
const files = new Map<RunExportFormat, Buffer>()

beforeAll(async () => {
  service = await startTestService()
  const tasks = Array.from({ length: 20 }, (_, i) => ({
    id: i === 0 ? 'a/b <c>' : `t${i}`,
    question: `What is ${i} plus 1?`,
    answer: String(i + 1),
  }))
  await importFiles(service, { format: 'jsonl', name: 'Sums' }, [{ name: 'sums.jsonl', content: lines(tasks) }])
  const outputs = tasks.map(({ id, answer }, i) => {
    if (i < 12) return { task_id: id, output: answer, input_tokens: 5, output_tokens: 2, latency_ms: 10 }
    return i < 18 ? { task_id: id, output: hostile[i % hostile.length] } : { task_id: id, output: null, error: 'no & <answer>' }
  })
  const profile = await profileId(service.client, 'sums', 'zero-shot')
  const record = await importAnswers(service, { profile_id: profile, model: 'my-model', name: 'Sums & <more>' }, [
    { name: 'outputs.jsonl', content: lines(outputs) },
  ])
  runId = record.runs[0]?.run_id ?? ''
  results = await service.client.call('getRunResults', { params: { run_id: runId } })
  for (const format of ['junit', 'markdown', 'inspect', 'lm_eval', 'promptfoo', 'parquet'] as const) {
    const reply = await service.fetch(`/v1/runs/${runId}/exports/${format}`)
    expect(reply.status).toBe(200)
    files.set(format, Buffer.from(await reply.arrayBuffer()))
  }
})
afterAll(() => service.close())

const lines = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
const bytesOf = (format: RunExportFormat): Buffer => files.get(format) ?? Buffer.alloc(0)
const jsonOf = (format: RunExportFormat): unknown => JSON.parse(bytesOf(format).toString('utf8'))
const primary = () => results.metrics.find(metric => metric.primary)

test('is watched by the key that may start it, which reads no other jobs', async () => {
  const { key } = await service.client.call('createApiKey', { body: { name: 'runs', scopes: ['runs:read'] } })
  const reader = clientFor(service.baseUrl, key, service.workspaceId)
  const { id } = await reader.call('prepareRunExport', { params: { run_id: runId }, body: { format: 'csv' } })
  expect(await reader.call('getJob', { params: { job_id: id } })).toMatchObject({ id, kind: 'run_export' })
  const { items } = await service.client.call('listJobs', { query: { kind: 'catalog_import' } })
  await expect(reader.call('getJob', { params: { job_id: items[0]?.id ?? '' } })).rejects.toMatchObject({ code: 'missing_scope' })
  await expect(reader.call('listJobs', {})).rejects.toMatchObject({ code: 'missing_scope' })
})

test('gives the same bytes each time', async () => {
  const again = await service.fetch(`/v1/runs/${runId}/exports/inspect?version=1`)
  expect(Buffer.from(await again.arrayBuffer())).toEqual(bytesOf('inspect'))
  expect(again.headers.get('content-disposition')).toContain('.eval')
})

test('names the version of Assay that made it, and its own form', async () => {
  const file: unknown = await (await service.fetch(`/v1/runs/${runId}/export?format=json`)).json()
  expect(file).toMatchObject({ format: 'assay.run', format_version: 1, results: { reproducibility: { app_version: appVersion } } })
})

describe('JUnit', () => {
  test('is well-formed XML with a case for each sample and counts that add up', () => {
    const { document } = new JSDOM(bytesOf('junit'), { contentType: 'text/xml' }).window
    const suites = document.documentElement
    expect(suites.tagName).toBe('testsuites')
    expect([...suites.attributes].map(({ name, value }) => [name, value])).toEqual([
      ['name', 'Sums & <more>'],
      ['tests', '20'],
      ['failures', '6'],
      ['errors', '2'],
      ['skipped', '0'],
      ['time', '0.120'],
    ])
    expect(document.querySelectorAll('testsuite > testcase')).toHaveLength(20)
    expect(document.querySelectorAll('testcase > failure')).toHaveLength(6)
    expect(document.querySelectorAll('testcase > error')[0]?.getAttribute('message')).toBe('no & <answer>')
    expect(document.querySelectorAll('script')).toHaveLength(0)
    expect(document.querySelector('testcase')?.getAttribute('name')).toBe('a/b <c>')
    expect(bytesOf('junit').toString('utf8')).toContain('\\x1b[31mred\ufffd')
  })
})

test('Markdown has every score with its n and no markup of others', () => {
  const text = bytesOf('markdown').toString('utf8')
  expect(text).toContain(`(n = ${primary()?.estimate.n})`)
  expect(text).toContain('## Sums &#38; &#60;more&#62;')
  expect(text).not.toContain('<')
})

describe('Inspect', () => {
  const Score = z.object({
    value: z.union([z.number(), z.string()]),
    explanation: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()),
  })
  const Message = z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })
  /** After `inspect_ai/log/_log.py`, the fields that have no default there. */
  const EvalLog = z.object({
    version: z.literal(2),
    status: z.enum(['started', 'success', 'cancelled', 'error']),
    eval: z.object({
      created: z.iso.datetime(),
      task: z.string(),
      dataset: z.object({ samples: z.int(), sample_ids: z.array(z.union([z.string(), z.int()])) }),
      model: z.string(),
      config: z.object({ epochs: z.int() }),
    }),
    plan: z.object({ name: z.string(), steps: z.array(z.object({ solver: z.string(), params: z.object({}) })) }),
    results: z.object({
      total_samples: z.int(),
      completed_samples: z.int(),
      scores: z.array(
        z.object({
          name: z.string(),
          scorer: z.string(),
          metrics: z.record(z.string(), z.object({ name: z.string(), value: z.number() })),
        }),
      ),
    }),
    stats: z.object({ started_at: z.string(), completed_at: z.string(), model_usage: z.record(z.string(), z.object({})) }),
  })
  const EvalSample = z.object({
    id: z.string(),
    epoch: z.int().min(1),
    input: z.union([z.string(), z.array(Message)]),
    target: z.union([z.string(), z.array(z.string())]),
    messages: z.array(Message),
    output: z.object({
      model: z.string(),
      choices: z.array(z.object({ message: Message, stop_reason: z.string() })),
      completion: z.string(),
    }),
    scores: z.record(z.string(), Score),
    events: z.array(z.never()),
    error: z.object({ message: z.string(), traceback: z.string(), traceback_ansi: z.string() }).optional(),
  })

  test('is a log that its schema takes, with a file for each sample', () => {
    const archive = openZip(bytesOf('inspect'))
    const read = (name: string): unknown => JSON.parse(archive.read(name).toString('utf8'))
    const header = EvalLog.parse(read('header.json'))
    expect(header.results.scores[0]?.metrics['mean']?.value).toBe(primary()?.estimate.mean)
    expect(header.results).toMatchObject({ total_samples: 20, completed_samples: 18 })
    const samples = header.eval.dataset.sample_ids.map(id => EvalSample.parse(read(`samples/${id}_epoch_1.json`)))
    expect(samples.filter(({ error }) => error)).toHaveLength(2)
    expect(z.array(z.object({ id: z.string(), epoch: z.int() })).parse(read('summaries.json'))).toHaveLength(20)
  })
})

test('lm-evaluation-harness has figures by metric and filter, and a row for each document', () => {
  const Row = z.object({
    doc_id: z.int(),
    doc: z.record(z.string(), z.unknown()),
    target: z.string(),
    arguments: z.record(z.string(), z.object({ arg_0: z.string() })),
    resps: z.array(z.array(z.string())),
    filtered_resps: z.array(z.string()),
    filter: z.literal('none'),
    metrics: z.array(z.string()),
    doc_hash: z.string().length(64),
    prompt_hash: z.string().length(64),
    target_hash: z.string().length(64),
  })
  const log = z
    .object({
      results: z.record(z.string(), z.record(z.string(), z.union([z.number(), z.string()]))),
      configs: z.record(z.string(), z.object({ output_type: z.literal('generate_until') })),
      versions: z.record(z.string(), z.string()),
      'n-samples': z.record(z.string(), z.object({ original: z.int(), effective: z.int() })),
      date: z.number(),
      samples: z.record(z.string(), z.array(Row)),
    })
    .parse(jsonOf('lm_eval'))
  expect(log.results['sums_zero-shot']?.[`${primary()?.metric},none`]).toBe(primary()?.estimate.mean)
  expect(log.samples['sums_zero-shot']).toHaveLength(18)
})

test('promptfoo has version 3 with statistics that add up', () => {
  const Result = z.object({
    promptIdx: z.int(),
    testIdx: z.int(),
    provider: z.object({ id: z.string() }),
    prompt: z.object({ raw: z.string(), label: z.string() }),
    vars: z.record(z.string(), z.unknown()),
    failureReason: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    success: z.boolean(),
    score: z.number(),
    latencyMs: z.number(),
    namedScores: z.record(z.string(), z.number()),
  })
  const { results: found } = z
    .object({
      evalId: z.string(),
      results: z.object({
        version: z.literal(3),
        prompts: z.array(z.object({ raw: z.string(), label: z.string(), provider: z.string() })),
        results: z.array(Result),
        stats: z.object({ successes: z.int(), failures: z.int(), errors: z.int() }),
      }),
      config: z.object({}),
    })
    .parse(jsonOf('promptfoo'))
  expect(found.stats).toMatchObject({ successes: 12, failures: 6, errors: 2 })
  expect(found.results.filter(({ success }) => success)).toHaveLength(12)
  expect(new Set(found.results.map(({ testIdx }) => testIdx)).size).toBe(20)
})

test('Parquet has a row for each sample, with texts as they are', async () => {
  const bytes = bytesOf('parquet')
  const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer })
  expect(rows).toHaveLength(20)
  const values = rows.flatMap(row =>
    typeof row[`value.${primary()?.metric}`] === 'number' ? [Number(row[`value.${primary()?.metric}`])] : [],
  )
  expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBe(primary()?.estimate.mean)
  expect(rows.map(row => row['output'])).toContain('=HYPERLINK("http://x")')
  expect(rows[0]).toMatchObject({ task_id: 'a/b <c>', passed: true, latency_ms: 10, input_tokens: 5 })
})

describe('imported again', () => {
  test.each([
    ['inspect', 'run.eval', true],
    ['lm_eval', 'run.lm_eval.json', true],
    ['promptfoo', 'run.promptfoo.json', false],
  ] as const)('%s gives the same figures', async (format, name, isGraded) => {
    const record = await importAnswers(
      service,
      { name: `again ${format}`, ...(format === 'lm_eval' ? { format: 'lm_eval_samples' } : {}) },
      [{ name, content: bytesOf(format) }],
    )
    expect(await answersEnd(service, record.id)).toMatchObject({ status: 'imported', errors: [] })
    const before = primary()
    const stated = record.log_metrics.find(({ log_metric: metric }) => metric.startsWith(before?.metric ?? ''))
    expect(stated).toMatchObject({ n: before?.estimate.n, log_mean: before?.estimate.mean, ...(isGraded ? { disagreements: 0 } : {}) })
    if (!isGraded) return
    const after = await service.client.call('getRunResults', { params: { run_id: record.runs[0]?.run_id ?? '' } })
    expect(after.metrics.find(metric => metric.primary)?.estimate).toEqual(before?.estimate)
  })
})

test.each(['parquet', 'csv'] as const)('%s gives the same figures as a table of outputs of the benchmark', async format => {
  const csv = () => service.fetch(`/v1/runs/${runId}/export?format=csv`)
  const content = format === 'parquet' ? bytesOf('parquet') : Buffer.from(await (await csv()).arrayBuffer())
  const profile = await profileId(service.client, 'sums', 'zero-shot')
  const record = await importAnswers(service, { profile_id: profile, model: 'my-model', name: `again ${format}` }, [
    { name: `run.${format}`, content },
  ])
  expect(await answersEnd(service, record.id)).toMatchObject({ status: 'imported', errors: [] })
  const after = await service.client.call('getRunResults', { params: { run_id: record.runs[0]?.run_id ?? '' } })
  const before = primary()
  expect(after.metrics.find(metric => metric.primary)).toMatchObject({ estimate: before?.estimate, unscored: before?.unscored })
})

test('describes a benchmark in Croissant without its answers', async () => {
  const reply = await service.fetch('/v1/catalog/benchmarks/sums/croissant')
  expect(reply.headers.get('content-type')).toContain('application/ld+json')
  const text = await reply.text()
  const RecordSet = z.object({
    '@type': z.literal('cr:RecordSet'),
    field: z.array(z.object({ '@type': z.literal('cr:Field'), '@id': z.string(), dataType: z.string() })),
    data: z.array(z.record(z.string(), z.string())),
  })
  /** What mlcroissant requires of a dataset, besides the context. */
  const dataset = z
    .object({
      '@context': z.object({ '@vocab': z.literal('https://schema.org/'), cr: z.literal('http://mlcommons.org/croissant/') }),
      '@type': z.literal('sc:Dataset'),
      conformsTo: z.literal('http://mlcommons.org/croissant/1.1'),
      name: z.string(),
      description: z.string(),
      license: z.string(),
      url: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+/),
      datePublished: z.iso.datetime(),
      distribution: z.array(
        z.object({
          '@type': z.literal('cr:FileObject'),
          contentUrl: z.string(),
          encodingFormat: z.string(),
          sha256: z.string().length(64),
        }),
      ),
      recordSet: z.array(RecordSet).length(1),
    })
    .parse(JSON.parse(text))
  expect(dataset.recordSet[0]?.data).toHaveLength(20)
  expect(text).not.toContain('plus 1')
  const missing = await service.client.refusal('getBenchmark', { params: { slug: 'no-such' } })
  expect(missing.code).toBe('not_found')
})
