import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFileLook } from '../../../../src/service/local-models/look-for-files.ts'
import { insertFolder } from '../../../../src/service/local-models/local-models.store.ts'
import { WorkLimitError } from '../../../../src/workers/bounded-pool.ts'
import { jobsOn } from '../../../support/jobs.ts'
import { temporaryFolder } from '../../../support/service.ts'

test('a header that took too long is tried again after some minutes', async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'slow.gguf')
  writeFileSync(file, 'GGUF')
  const { db, clock } = jobsOn()
  insertFolder(db, { id: 'folder', path: folder.path }, clock.now().toISOString())
  let tries = 0
  const look = createFileLook(
    { db, clock },
    {
      readGguf: async ({ path }) => {
        if (path === file) tries++
        throw new WorkLimitError('time', '30 s')
      },
    },
  )
  const again = async () => {
    look.forget()
    await look.read()
    return tries
  }
  expect(await again()).toBe(1)
  expect(await again()).toBe(1)
  clock.advance(6 * 60_000)
  expect(await again()).toBe(2)
})
