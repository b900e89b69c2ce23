import { afterAll, expect, test } from 'vitest'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { importEnded, sendExamples } from '../support/datasets.ts'
import { temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const rows = 12_000

test('an import that is killed while it writes and while it lands holds every row once, with its labels and words', async () => {
  let service = await startChildService(folder.path, [], 'example:5950')
  const { id } = await service.client.call('createDataset', { body: { name: 'Killed', task: 'answer' } })
  const content = Array.from({ length: rows }, (_, i) => JSON.stringify({ q: `Row number${i}`, l: i % 3 === 0 ? 'pass' : 'fail' })).join(
    '\n',
  )
  const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'q', labels: { ann: 'l' } }) }
  const reply = await sendExamples(service, service.client, id, { name: 'rows.jsonl', content, fields })
  const { id: import_id } = (await reply.json()) as { id: string } // the record's shape is checked when it is read
  const read = ({ client }: ChildService) => client.call('getDatasetImport', { params: { dataset_id: id, import_id } })
  expect(await service.gone).toBe('SIGKILL')
  service = await startChildService(folder.path)
  // It lands or is past that: the state can be too short to be seen.
  await expect.poll(async () => (await read(service)).status, { interval: 1 }).toMatch(/^(landing|imported)$/)
  await service.kill()
  service = await startChildService(folder.path)
  expect(await importEnded(service.client, id, import_id)).toMatchObject({ status: 'imported', created: rows, duplicates: 0 })
  const { counts, label_coverage } = await service.client.call('getDataset', { params: { dataset_id: id } })
  expect(counts.total).toBe(rows)
  expect(label_coverage.values).toEqual([
    { value: 'pass', examples: rows / 3 },
    { value: 'fail', examples: (2 * rows) / 3 },
  ])
  for (const i of [0, 1, 5999, rows - 1]) {
    const { items } = await service.client.call('listExamples', { params: { dataset_id: id }, query: { q: `number${i}`, limit: 100 } })
    expect(items.filter(({ input }) => input === `Row number${i}`)).toHaveLength(1)
  }
  await service.stop()
})
