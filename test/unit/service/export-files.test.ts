import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createExportFiles, removePartialExports } from '../../../src/service/export-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const wanted = { key: 'run-v1', format: 'csv' } as const

test('a download that waited for a cancelled export writes the file itself, and nothing is left of the other', async () => {
  const folder = temporaryFolder()
  const files = createExportFiles(folder.path)
  const cancelled = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const prepared = files.prepare({
    ...wanted,
    write: async path => {
      writeFileSync(`${path}.partial`, 'half')
      begun.resolve()
      await cancelled.promise
    },
  })
  await begun.promise
  const download = files.file({ ...wanted, title: 'Run', write: async path => writeFileSync(path, 'whole') })
  cancelled.reject(new Error('cancelled'))
  await expect(prepared).rejects.toThrow('cancelled')
  expect(await download).toMatchObject({ kind: 'whole', bytes: 5 })
  expect(readdirSync(join(folder.path, 'exports'))).toEqual(['run-v1.csv'])
  folder.remove()
})

test('an export is written once for all who wait for it', async () => {
  const folder = temporaryFolder()
  const files = createExportFiles(folder.path)
  let written = 0
  const write = async (path: string) => {
    written++
    writeFileSync(path, 'whole')
  }
  await Promise.all([
    files.prepare({ ...wanted, write }),
    files.file({ ...wanted, title: 'Run', write }),
    files.prepare({ ...wanted, write }),
  ])
  expect(written).toBe(1)
  expect(existsSync(join(folder.path, 'exports', 'run-v1.csv'))).toBe(true)
  folder.remove()
})

test('what a killed process had begun to write is removed at the start', () => {
  const folder = temporaryFolder()
  removePartialExports(folder.path)
  const exports = join(folder.path, 'exports')
  mkdirSync(exports)
  for (const name of ['run-v1.html.partial', 'run-v1.csv']) writeFileSync(join(exports, name), 'text')
  removePartialExports(folder.path)
  expect(readdirSync(exports)).toEqual(['run-v1.csv'])
  folder.remove()
})
