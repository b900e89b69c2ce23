import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createWorkers } from '../../../src/workers/pool.ts'
import { prepareData } from '../../support/prepared-data.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.skipIf(process.platform === 'win32')('a GGUF header that is never read to its end holds up no page', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  prepareData(folder.path)
  const workers = createWorkers(join(folder.path, 'assay.db'))
  onTestFinished(() => workers.close())
  const path = join(folder.path, 'pipe.gguf')
  execFileSync('mkfifo', [path])
  // Its thread waits for somebody who writes.
  const header = workers.readGguf({ path })
  try {
    expect(await workers.searchTasks({ versionNo: 1, q: 'apples', match: 'words' })).toEqual(expect.any(Array))
  } finally {
    // For reading too, since that waits for nobody.
    const pipe = openSync(path, 'r+')
    await Promise.allSettled([header])
    closeSync(pipe)
  }
})
