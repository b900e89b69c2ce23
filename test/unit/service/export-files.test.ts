import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
      for (const part of [`${path}.partial`, `${path}.texts.partial`]) writeFileSync(part, 'half')
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

test('of what people change only the newest file is kept, and one that is being downloaded until its end', async () => {
  const folder = temporaryFolder()
  const files = createExportFiles(folder.path)
  const exported = async (state: string | null, key = 'run-v1') => {
    const file = await files.file({ key, format: 'csv', title: 'Run', state, write: async path => writeFileSync(path, `state ${state}`) })
    if (file.kind !== 'whole') throw new Error('An export is a whole file.')
    return file
  }
  const names = () => readdirSync(join(folder.path, 'exports')).toSorted()
  await exported(null)
  await exported('ab', 'run-v11')
  const first = await exported('ab')
  const download = first.open(0, first.bytes - 1)
  await exported('cd')
  await nextTurn()
  const kept = ['run-v1.csv', 'run-v11-ab.csv']
  expect(names()).toEqual(['run-v1-ab.csv', 'run-v1-cd.csv', ...kept])
  expect(await text(download)).toBe('state ab')
  await expect.poll(names).toEqual(['run-v1-cd.csv', ...kept])
  // A state that comes again while it is read is the newest one.
  const again = await exported('cd')
  const reading = again.open(0, again.bytes - 1)
  await exported('ef')
  await nextTurn()
  await exported('cd')
  await text(reading)
  await nextTurn()
  expect(names()).toEqual(['run-v1-cd.csv', ...kept])
  // Nothing of a note that was deleted stays.
  await exported(null)
  await nextTurn()
  expect(names()).toEqual(kept)
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
