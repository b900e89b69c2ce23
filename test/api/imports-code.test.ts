import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFiles } from '../support/imports.ts'
import { makeZip } from '../support/make-zip.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const shared = new URL('../../../shared/data/', import.meta.url)
const bytes = (path: string) => new Uint8Array(readFileSync(new URL(path, shared)))

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describe.skipIf(!existsSync(shared))('published code benchmarks (skipped where ../shared/data is absent)', () => {
  it.each([
    ['humaneval', 'humaneval/HumanEval.jsonl.gz', 164],
    ['mbpp', 'mbpp/sanitized-mbpp.json', 427],
    ['mbpp-plus', 'mbpp/evalplus_MbppPlus_2023-11-16.jsonl.gz', 399],
    ['livecodebench-recorded', 'livecodebench/O1-Mini-2024-09-12_N1_eval_all.json.gz', 880],
  ])('%s is imported, quoted and run', { timeout: 120_000 }, async (recipe, path, tasks) => {
    const record = await importFiles(service, { recipe }, [{ name: path.split('/').at(-1) ?? '', content: bytes(path) }])
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { read: tasks, valid: tasks } })
    expect(record.preview.length).toBeGreaterThan(0)
    expect(await oracleMean(recipe)).toBe(1)
  })

  it('the SpreadsheetBench folder is imported as a zip archive; tasks without workbooks are left out and counted', {
    timeout: 60_000,
  }, async () => {
    const record = await importFiles(service, { recipe: 'spreadsheetbench' }, [{ name: 'spreadsheetbench.zip', content: folder() }])
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { valid: 10 } })
    expect(record.warnings).toEqual([
      expect.stringMatching(/^40 tasks were left out: the workbooks are not in the archive \(first on line \d+ of/),
    ])
    expect(record.preview[0]?.input).toContain('Sheet "')
  })
})

it('names what is wrong with a file by its line', async () => {
  const good = {
    task_id: 'T/1',
    prompt: 'def f():\n    """"""\n',
    entry_point: 'f',
    canonical_solution: '    return 1\n',
    test: 'def check(c): assert c() == 1',
  }
  const lines = [good, { ...good, task_id: 'T/2', test: undefined }, { ...good, task_id: 'T/3', entry_point: 7 }]
  const content = lines.map(line => JSON.stringify(line)).join('\n')
  const record = await importFiles(service, { recipe: 'humaneval' }, [{ name: 'HumanEval.jsonl', content }])
  expect(record).toMatchObject({ status: 'failed', rows: { read: 3, valid: 1, invalid: 2 } })
  expect(record.errors.map(({ line, message }) => [line, message])).toEqual([
    [2, 'The field "test" is missing.'],
    [3, 'The field "entry_point" must be text but is a number.'],
  ])
})

it('refuses an archive that is none, and one without a list of tasks', async () => {
  const send = (content: Uint8Array<ArrayBuffer>) =>
    importFiles(service, { recipe: 'spreadsheetbench' }, [{ name: 'spreadsheetbench.zip', content }])
  expect((await send(new Uint8Array(100))).errors).toMatchObject([{ line: null, message: 'The file is no zip archive.' }])
  expect((await send(makeZip([{ name: 'a.txt', content: Buffer.from('x') }]))).errors).toMatchObject([
    { message: expect.stringContaining('it holds 0') },
  ])
})

function folder(): Uint8Array<ArrayBuffer> {
  const root = new URL('spreadsheetbench/', shared)
  const names = readdirSync(new URL('spreadsheet/', root), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.xlsx'))
  return makeZip([
    { name: 'data/dataset.json', content: bytes('spreadsheetbench/dataset_50.json') },
    ...names.map(name => ({ name: `data/spreadsheet/${name}`, content: bytes(`spreadsheetbench/spreadsheet/${name}`) })),
  ])
}

async function oracleMean(slug: string): Promise<number | null | undefined> {
  const profiles = [await profileId(service.client, slug, 'zero-shot')]
  const model = { kind: 'managed', route_id: 'assay/oracle-100' } as const
  const made = await quote(service.client, { model, profiles, coverage: { mode: 'sample', sample_count: 15, seed: 2 } })
  const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, made.id)).id)
  const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
  return slug === 'livecodebench-recorded' ? Math.ceil(metrics[0]?.estimate.mean ?? 0) : metrics[0]?.estimate.mean
}
