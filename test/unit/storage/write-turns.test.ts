import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { createWriteTurns } from '../../../src/storage/write-turns.ts'

const word = (shared: SharedArrayBuffer) => [...new Int32Array(shared)]

describe('turns in writing', () => {
  test('end with the write, also with one that throws', () => {
    const turns = createWriteTurns()
    expect(turns.inTurn(() => word(turns.shared))).toEqual([1, 0])
    expect(() =>
      turns.inTurn(() => {
        throw new Error('full')
      }),
    ).toThrow('full')
    expect(word(turns.shared)).toEqual([0, 0])
  })

  test('are a courtesy: who has waited long enough writes, and the turn stays with the other', () => {
    const first = createWriteTurns()
    const second = createWriteTurns(first.shared)
    const began = performance.now()
    first.inTurn(() => {
      expect(second.inTurn(() => 'written')).toBe('written')
      expect(word(first.shared)).toEqual([1, 0])
    })
    expect(performance.now() - began).toBeGreaterThan(40)
    expect(word(first.shared)).toEqual([0, 0])
  })

  test('of the first connection come before those of a thread that writes without pause', async () => {
    const turns = createWriteTurns()
    // Writes for 5 ms at a time, and takes the next turn as soon as it may.
    const thread = new Worker(
      `import { workerData, parentPort } from 'node:worker_threads'
       const { createWriteTurns } = await import(workerData.module)
       const turns = createWriteTurns(workerData.shared)
       const until = performance.now() + 10_000
       parentPort.once('message', () => process.exit())
       parentPort.postMessage('writing')
       const spin = () => {
         turns.inTurn(() => { for (const end = performance.now() + 5; performance.now() < end; ); })
         if (performance.now() < until) setImmediate(spin)
       }
       spin()`,
      { eval: true, workerData: { shared: turns.shared, module: new URL('../../../src/storage/write-turns.ts', import.meta.url).href } },
    )
    await new Promise(resolve => thread.once('message', resolve))
    let got = 0
    for (let i = 0; i < 20; i++) {
      turns.inTurn(() => {
        got += word(turns.shared)[0] ?? 0
      })
      await new Promise(resolve => setImmediate(resolve))
    }
    thread.postMessage('end')
    await new Promise(resolve => thread.once('exit', resolve))
    expect(got).toBe(20)
    // The thread may have ended within its turn, so nothing is said of the word; nobody waits any more.
    expect(word(turns.shared)[1]).toBe(0)
  })
})
