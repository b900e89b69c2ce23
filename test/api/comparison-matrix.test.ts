import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Comparison } from '../../src/contract/comparisons/comparisons.schemas.ts'
import { type MatrixPage, type MatrixRow, matrixVerdicts } from '../../src/contract/comparisons/matrix.schemas.ts'
import { outcomeCodes, type Sample } from '../../src/contract/runs/samples.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const tasks = 60
let service: TestService
let comparison: Comparison
/** Samples of each run, in the order of the comparison. */
let samples: readonly (readonly Sample[])[]

beforeAll(async () => {
  service = await startTestService()
  const { client, baseUrl } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const ids: string[] = []
  for (const route of ['assay/oracle-50', 'assay/oracle-90', 'assay/echo']) {
    const { id } = await quote(client, {
      model: { kind: 'managed', route_id: route },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: tasks, seed: 1 },
    })
    ids.push((await runToEnd(client, baseUrl, (await submit(client, id, route)).id)).id)
  }
  const [baseline_id = ''] = ids
  comparison = await client.call('createComparison', { body: { name: 'three', run_ids: ids, baseline_id } })
  samples = await Promise.all(
    ids.map(async run_id => (await client.call('listSamples', { params: { run_id }, query: { limit: 100 } })).items),
  )
})
afterAll(() => service.close())

type Query = Partial<NonNullable<Parameters<typeof page>[0]>>
function page(query: {
  cursor?: string
  limit?: number
  offset?: number
  locate?: number
  agreement?: 'same' | 'different'
  verdict?: MatrixRow['cells'][number]['verdict'] & string
  pattern?: string
  profile?: string
  q?: string
}): Promise<MatrixPage> {
  return service.client.call('listMatrix', { params: { comparison_id: comparison.id }, query })
}

async function every(query: Query = {}): Promise<MatrixRow[]> {
  const found: MatrixRow[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor, total } = await page({ limit: 17, ...query, ...(cursor ? { cursor } : {}) })
    found.push(...items)
    if (next_cursor === null) {
      expect(total).toBe(found.length)
      return found
    }
    cursor = next_cursor
  }
}

const lettersOf = (row: MatrixRow): string => row.cells.map(({ verdict }) => (verdict === null ? '-' : outcomeCodes[verdict])).join('')

test('shows what each run answered, with the verdict of its own sample', async () => {
  const rows = await every()
  expect(rows).toHaveLength(tasks)
  for (const row of rows) {
    expect(row.cells.map(cell => cell.run_id)).toEqual(comparison.runs.map(run => run.id))
    for (const [no, cell] of row.cells.entries()) {
      const sample = samples[no]?.find(({ id }) => id === cell.sample_id)
      expect(sample?.task_id).toBe(row.task_id)
      expect(cell.verdict).toBe(sample?.scores[0]?.class)
      expect(cell.answer).toBe(sample?.scores[0]?.answer?.slice(0, 200) ?? null)
      expect(cell.output_preview).toBe(sample?.output_preview)
      expect(row.target_preview).toBe(sample?.target_preview)
    }
  }
})

test('filters by agreement, by a verdict and by the verdict of each run', async () => {
  const rows = await every()
  const differ = (row: MatrixRow): boolean => new Set(row.cells.map(({ value }) => value)).size > 1
  expect(rows.some(differ) && !rows.every(differ)).toBe(true)
  expect(await every({ agreement: 'different' })).toEqual(rows.filter(differ))
  expect(await every({ agreement: 'same' })).toEqual(rows.filter(row => !differ(row)))
  for (const verdict of matrixVerdicts)
    expect(await every({ verdict })).toEqual(rows.filter(row => row.cells.some(cell => cell.verdict === verdict)))
  for (const pattern of ['wc.', 'cww', '..c'])
    expect(await every({ pattern })).toEqual(rows.filter(row => new RegExp(`^${pattern}$`).test(lettersOf(row))))
  expect(await every({ profile: 'none such' })).toEqual([])
  await expect(page({ pattern: 'cw' })).rejects.toMatchObject({ code: 'validation_error' })
})

test('finds what a run answered anywhere in its output, and excludes words', async () => {
  const [row] = await every({ pattern: '.w.' })
  const cell = row?.cells[1]
  const { output } = await service.client.call('getSample', {
    params: { run_id: cell?.run_id ?? '', sample_id: cell?.sample_id ?? '' },
  })
  const found = await every({ q: `"${output}"` })
  expect(found.map(({ task_id }) => task_id)).toContain(row?.task_id)
  expect(found.length).toBeLessThan(tasks)
  expect((await every({ q: row?.task_id ?? '' })).map(({ task_id }) => task_id)).toEqual([row?.task_id])
  expect(await every({ q: 'a-word-that-is-nowhere' })).toEqual([])
})

test('starts at any place, says where a task is, and refuses the cursor of another filter', async () => {
  const different = await every({ agreement: 'different' })
  const last = different.at(-1)
  const found = await page({ agreement: 'different', offset: different.length - 1, limit: 5, locate: last?.position ?? 0 })
  expect(found).toMatchObject({ items: [last], next_cursor: null, total: different.length, located_at: different.length - 1 })
  const { next_cursor } = await page({ limit: 5 })
  await expect(page({ limit: 5, agreement: 'different', cursor: next_cursor ?? '' })).rejects.toMatchObject({ code: 'invalid_cursor' })
})

test('keeps showing what was compared when a run was deleted', async () => {
  const { client, baseUrl } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: tasks, seed: 1 },
  })
  const gone = await runToEnd(client, baseUrl, (await submit(client, quoteId, 'gone')).id)
  const baseline_id = comparison.runs[0]?.id ?? ''
  const { id } = await client.call('createComparison', { body: { name: 'two', run_ids: [baseline_id, gone.id], baseline_id } })
  const read = (q: string) => client.call('listMatrix', { params: { comparison_id: id }, query: { q } })
  const before = await read('')
  await client.call('deleteRun', { params: { run_id: gone.id } })
  const after = await read('')
  expect(after.items.map(row => row.cells[1]?.verdict)).toEqual(before.items.map(row => row.cells[1]?.verdict))
  expect((await read(before.items[0]?.task_id ?? '')).items).toHaveLength(1)
})
