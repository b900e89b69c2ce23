import { writeFileSync } from 'node:fs'
import { Piscina } from 'piscina'
import { expect, test, vi } from 'vitest'
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

test('pools with the same program and environment share an examination of the sandboxes; brokers and failures do not', async () => {
  const folder = temporaryFolder()
  const pools: Piscina[] = []
  const filename = `${folder.path}/examine.mjs`
  // Each answer is another one.
  writeFileSync(
    filename,
    `export default ({ fails }) => {
       if (fails) throw new Error('no sandbox')
       return crypto.randomUUID()
     }`,
  )
  const start = (channel: number | null) => {
    const pool = new Piscina({ filename, minThreads: 0, workerData: { channel } })
    pools.push(pool)
    return pool
  }
  const examine = { kind: 'examine' }
  try {
    const [first, second, broker] = [start(null), start(null), start(1)]
    await expect(first.run({ ...examine, fails: true })).rejects.toThrow('no sandbox')
    const found: unknown = await first.run(examine)
    expect(await second.run(examine)).toBe(found)
    expect(await first.run(examine)).toBe(found)
    expect(await first.run({ kind: 'grade' })).not.toBe(found)
    expect(await broker.run(examine)).not.toBe(await broker.run(examine))
    vi.stubEnv('ASSAY_EXAMINED', 'otherwise')
    expect(await second.run(examine)).not.toBe(found)
  } finally {
    vi.unstubAllEnvs()
    await Promise.all(pools.map(pool => pool.destroy()))
    folder.remove()
  }
})

test('limits grow with the slowness of the machine, never without end, and are whole milliseconds', () => {
  expect(patience()).toBeGreaterThanOrEqual(2)
  expect(patience()).toBeLessThanOrEqual(8)
  expect([1, 1.2, 2.456_389, 3.9, 4.1, 20].map(wholePatience)).toEqual([2, 3, 5, 8, 8, 8])
})
