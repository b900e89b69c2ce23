import { expect, test } from 'vitest'
import { archivesIn, noSuchArchive } from '../../../../src/contract/datasets/several-archives.ts'
import { exportChoices } from '../../../../src/renderer/datasets/export-choices.ts'

test('a version is offered in each format, and its zip in the parts that a refusal names', () => {
  expect(exportChoices(1).map(({ title }) => title)).toEqual(['JSON Lines', 'JSON', 'ZIP', 'CSV'])
  const archives = archivesIn([{ type: 'value_error' }, ...noSuchArchive(12, 'Several.').detail])
  const zips = exportChoices(archives ?? 0).filter(({ query }) => query.format === 'zip')
  expect(zips.map(({ query }) => query.part)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(zips.at(-1)).toMatchObject({ title: 'ZIP, part 12 of 12', format: 'part12.zip' })
  expect(archivesIn([])).toBeNull()
})
