import { Piscina } from 'piscina'
import { expect, test } from 'vitest'
import { workerFile } from '../../../src/workers/worker-file.ts'
import { patience, wholePatience } from '../../support/machine-speed.ts'
import { isProgramBuilt, program } from '../../support/program.ts'

test('tests start threads and processes from the same program: what is built, or its source', () => {
  const folder = isProgramBuilt ? 'out/main' : 'src'
  expect(program).toContain(`/${folder}/${isProgramBuilt ? 'headless.js' : 'headless/cli.ts'}`)
  expect(workerFile('score.worker')).toContain(`/${folder}/workers/score.worker.${isProgramBuilt ? 'js' : 'ts'}`)
  expect(() => workerFile('none.worker')).toThrow('none.worker')
})

test('threads of tests outlast a pause between two tests', async () => {
  const pool = new Piscina({ filename: workerFile('score.worker'), minThreads: 0, idleTimeout: 50 })
  try {
    expect(pool.options.idleTimeout).toBe(10_000)
  } finally {
    await pool.destroy()
  }
})

test('limits grow with the slowness of the machine, never without end, and are whole milliseconds', () => {
  expect(patience()).toBeGreaterThanOrEqual(2)
  expect(patience()).toBeLessThanOrEqual(8)
  expect([1, 1.2, 2.456_389, 3.9, 4.1, 20].map(wholePatience)).toEqual([2, 3, 5, 8, 8, 8])
})
