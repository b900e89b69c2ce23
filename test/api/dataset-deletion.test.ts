import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { importExamples } from '../support/datasets.ts'
import { longestTurnCpuMs } from '../support/longest-turn.ts'
import { slowness } from '../support/machine-speed.ts'
import { startTestService, type TestService } from '../support/service.ts'

const count = 5000
const tables = [
  'dataset_examples',
  'dataset_revisions',
  'dataset_labels',
  'dataset_search',
  'dataset_version_examples',
  'dataset_versions',
  'datasets',
]

/** Examples that are approved and frozen in several versions. */
async function frozenDataset(service: TestService, versions: number) {
  const { client } = service
  const { id } = await client.call('createDataset', { body: { name: 'Large', task: 'answer' } })
  const params = { dataset_id: id }
  const content = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ input: `What is ${i} plus 1?`, output: String(i), label: 'pass' }),
  ).join('\n')
  const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'input', output: 'output', labels: { label: 'label' } }) }
  await importExamples(service, id, { name: 'large.jsonl', content, fields })
  await client.call('reviewExamples', { params, body: { decision: 'approve', filter: { label: 'pass' }, expected: count } })
  for (let version = 1; version < versions; version++) await client.call('createDatasetVersion', { params, body: {} })
  return { id, version: await client.call('createDatasetVersion', { params, body: {} }) }
}

function rowsOf(service: TestService): number[] {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const rows = tables.map(table => Number(db.prepare(`select count(*) from ${table}`).pluck().get()))
  db.close()
  return rows
}

test('a large dataset is deleted in small turns, and is gone for everybody from the first', async () => {
  await using service = await startTestService()
  const { client } = service
  const { id, version } = await frozenDataset(service, 4)
  expect(rowsOf(service)).toEqual([count, count, count, count, 4 * count, 4, 1])
  const query = { kind: 'dataset', id } as const
  const longest = await longestTurnCpuMs(async () => {
    const deleted = client.call('deleteItem', { query })
    await expect
      .poll(() => client.refusal('getDataset', { params: { dataset_id: id } }), { interval: 1 })
      .toMatchObject({ code: 'not_found' })
    expect(rowsOf(service)[0]).toBeGreaterThan(0)
    const filed = { kind: 'dataset' as const, ids: [id], folder: 'Kept' }
    expect(await client.refusal('changeItems', { body: filed })).toMatchObject({ code: 'not_found' })
    expect(await client.refusal('updateDataset', { params: { dataset_id: id }, body: { archived: false } })).toMatchObject({
      code: 'not_found',
    })
    expect(await client.refusal('deleteItem', { query })).toMatchObject({ code: 'not_found' })
    const params = { dataset_id: id, version_id: version.id }
    expect(await client.refusal('getDatasetVersion', { params })).toMatchObject({ code: 'not_found' })
    for (const archived of [true, false]) expect((await client.call('listDatasets', { query: { archived } })).items).toEqual([])
    await deleted
  })
  expect(rowsOf(service)).toEqual(tables.map(() => 0))
  expect(longest).toBeLessThan(60 * slowness())
})

test('a deletion that a stop interrupts is ended by the next start', async () => {
  await using service = await startTestService()
  const { id } = await frozenDataset(service, 1)
  const deleted = service.client.call('deleteItem', { query: { kind: 'dataset', id } }).catch(() => undefined)
  await expect
    .poll(() => service.client.refusal('getDataset', { params: { dataset_id: id } }), { interval: 1 })
    .toMatchObject({ code: 'not_found' })
  let between: number[] = []
  await service.restart(() => {
    between = rowsOf(service)
  })
  await deleted
  expect(between[0]).toBeGreaterThan(0)
  expect((await service.client.call('listDatasets', { query: { archived: true } })).items).toEqual([])
  await expect.poll(() => rowsOf(service)).toEqual(tables.map(() => 0))
})
