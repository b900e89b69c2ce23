import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTracePool } from '../../../src/workers/trace-pool.ts'
import { workerFile } from '../../../src/workers/worker-file.ts'
import { prepareData } from '../../support/prepared-data.ts'
import { temporaryFolder } from '../../support/service.ts'

test('a trace is opened while a search goes through all of them', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'assay.db')
  prepareData(folder.path)
  const pool = createTracePool(workerFile('traces.worker'), path)
  const stop = new AbortController()
  // Numbers of no trace, without end.
  const sql = 'with recursive numbers (no) as (select -1 union all select no - 1 from numbers) select no from numbers'
  try {
    const search = pool.run({ kind: 'find', among: { sql, parameters: [] }, text: 'sky', most: 1 }, stop.signal)
    const opened = pool.run({ kind: 'describe', workspaceId: 'w', traceId: 't', spanId: null })
    expect(await Promise.race([search, opened])).toEqual({ ok: true, value: null })
    stop.abort()
    await expect(search).rejects.toThrow()
  } finally {
    await pool.close()
    folder.remove()
  }
})
