import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notFound } from '../../../src/contract/errors.ts'
import type { Results } from '../../../src/contract/runs/results.schemas.ts'
import { createExports, type Exported } from '../../../src/service/runs/exports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('an export of a run that is deleted meanwhile is refused, and its file removed', async () => {
  const folder = temporaryFolder()
  // What an export takes of the results to name its file.
  const results = { run_id: 'run', name: 'Run', result_version: 1 } as Results
  const exported: Exported = { runNo: 1, results, recipes: [], annotations: () => expect.unreachable('CSV holds no annotations.') }
  let isDeleted = false
  const writeFile = (path: string) => {
    writeFileSync(path, 'a part of the samples')
    return Promise.resolve({ bytes: 1, sha256: '' })
  }
  const report = ({ path }: { path: string }) => {
    isDeleted = true
    return writeFile(path)
  }
  const jobs = { register: () => {}, enqueue: () => '', read: () => expect.unreachable() }
  const exports = createExports(folder.path, { report }, jobs, () => {
    if (isDeleted) throw notFound('run', 'run')
    return exported
  })
  await expect(exports.file('w', exported, 'csv')).rejects.toMatchObject({ code: 'not_found' })
  expect(readdirSync(join(folder.path, 'exports'))).toEqual([])
  folder.remove()
})
