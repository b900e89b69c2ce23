import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

interface Published {
  readonly recipe: string
  readonly files: readonly string[]
  readonly tasks: number
  /** Files whose checksum upstream's is known to be. */
  readonly matching: number
  readonly chance?: number
  /** Whether a run of it is made, too. */
  readonly run?: boolean
}

describe.skipIf(!existsSync(shared))('published benchmarks (skipped where ../shared/data is absent)', () => {
  test.each<Published>([
    { recipe: 'gsm8k', files: ['gsm8k/test.jsonl', 'gsm8k/train.jsonl.gz'], tasks: 1319, matching: 2 },
    { recipe: 'ifeval', files: ['ifeval/input_data.jsonl'], tasks: 541, matching: 0 },
    { recipe: 'bbh', files: ['bbh/boolean_expressions.json', 'bbh/date_understanding.json'], tasks: 500, matching: 2 },
    {
      recipe: 'agieval',
      files: ['agieval/aqua-rat.jsonl', 'agieval/sat-math.jsonl'],
      tasks: 474,
      matching: 2,
      chance: 254 / 5 / 474 + 220 / 4 / 474,
    },
    { recipe: 'truthfulqa-mc1', files: ['truthfulqa/mc_task.json'], tasks: 790, matching: 0, chance: 0.2228 },
    { recipe: 'humaneval', files: ['humaneval/HumanEval.jsonl.gz'], tasks: 164, matching: 1, run: true },
    { recipe: 'mbpp', files: ['mbpp/sanitized-mbpp.json'], tasks: 427, matching: 0, run: true },
    { recipe: 'mbpp-plus', files: ['mbpp/evalplus_MbppPlus_2023-11-16.jsonl.gz'], tasks: 399, matching: 0, run: true },
  ])('$recipe is imported', async ({ recipe, files, tasks, matching, chance, run }) => {
    const record = await importFiles(
      service,
      { recipe },
      files.map(path => ({ name: path.split('/').at(-1) ?? '', content: bytes(path) })),
    )
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { invalid: 0 } })
    expect(record.files.filter(({ checksum }) => checksum === 'matches_upstream')).toHaveLength(matching)
    expect(record.files.filter(({ checksum }) => checksum === 'differs_from_upstream')).toEqual([])
    expect(record.preview.length).toBeGreaterThan(0)
    const { latest_version, profiles } = await service.client.call('getBenchmark', { params: { slug: recipe } })
    expect(latest_version?.task_counts).toEqual({ test: tasks })
    if (chance !== undefined) expect(profiles[0]?.chance_level).toBeCloseTo(chance, 3)
    if (run) expect(await oracleMean(recipe)).toBe(1)
  })

  test('the SpreadsheetBench folder is imported as a zip archive; tasks without workbooks are left out and counted', async () => {
    const record = await importFiles(service, { recipe: 'spreadsheetbench' }, [{ name: 'spreadsheetbench.zip', content: folder() }])
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { valid: 10 } })
    expect(record).toMatchObject({ warnings: [], left_out_count: 40 })
    expect(record.left_out).toHaveLength(40)
    expect(record.left_out[0]?.message).toMatch(/^the workbooks are not in the archive/)
    expect(record.preview[0]?.input).toContain('Sheet "')
  })
})

test('names what is wrong with a file by its line', async () => {
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

test('refuses an archive that is none, and one without a list of tasks', async () => {
  const send = (content: Uint8Array<ArrayBuffer>) =>
    importFiles(service, { recipe: 'spreadsheetbench' }, [{ name: 'spreadsheetbench.zip', content }])
  expect((await send(new Uint8Array(100))).errors).toMatchObject([
    { line: null, message: expect.stringContaining('the file is not a zip archive') },
  ])
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
  return metrics[0]?.estimate.mean
}
