import { Piscina } from 'piscina'
import { expect, test } from 'vitest'
import { workerFile } from '../../../src/workers/worker-file.ts'
import { patience, wholePatience } from '../../support/machine-speed.ts'
import { prepareData } from '../../support/prepared-data.ts'
import { isProgramBuilt, program } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('tests start threads and processes from the same program: what is built, or its source', () => {
  const folder = isProgramBuilt ? 'out/main' : 'src'
  expect(program).toContain(`/${folder}/${isProgramBuilt ? 'headless.js' : 'headless/cli.ts'}`)
  expect(workerFile('score.worker')).toContain(`/${folder}/workers/score.worker.${isProgramBuilt ? 'js' : 'ts'}`)
  expect(() => workerFile('none.worker')).toThrow('none.worker')
})

test('threads of tests outlast a pause between two tests', async () => {
  const pool = new Piscina({ filename: workerFile('score.worker'), minThreads: 0, idleTimeout: 50 })
  try {
    expect(pool.options.idleTimeout).toBe(30_000)
  } finally {
    await pool.destroy()
  }
})

test('the threads of a service that has closed read the database of the next one', async () => {
  const options = (databasePath: string) => ({ filename: workerFile('verify-backup.worker'), minThreads: 0, workerData: { databasePath } })
  const [first, second] = [temporaryFolder(), temporaryFolder()]
  try {
    prepareData(first.path)
    const paths = [`${first.path}/assay.db`, `${second.path}/none.db`]
    const pool = new Piscina(options(paths[0] ?? ''))
    const page = (one: Piscina) => one.run({ kind: 'outcomes', runNo: 1 }, { filename: workerFile('sample-page.worker') })
    expect(await page(pool)).toBe('')
    const [thread] = pool.threads
    await pool.destroy()
    const next = new Piscina(options(paths[1] ?? ''))
    expect(next.threads).toEqual([thread])
    await expect(page(next)).rejects.toThrow('unable to open database file')
    await next.destroy()
    // What was under a path may have been replaced, as when a backup is restored.
    const again = new Piscina(options(paths[0] ?? ''))
    expect(again.threads).toEqual([])
    await again.destroy()
  } finally {
    first.remove()
    second.remove()
  }
})

test('limits grow with the slowness of the machine, never without end, and are whole milliseconds', () => {
  expect(patience()).toBeGreaterThanOrEqual(2)
  expect(patience()).toBeLessThanOrEqual(8)
  expect([1, 1.2, 2.456_389, 3.9, 4.1, 20].map(wholePatience)).toEqual([2, 3, 5, 8, 8, 8])
})
