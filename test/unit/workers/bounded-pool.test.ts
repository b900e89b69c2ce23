import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { MetricPlan } from '../../../src/engine/execution/scheduler/ports.ts'
import { type BoundedPool, createBoundedPool, type PoolBounds, WorkLimitError } from '../../../src/workers/bounded-pool.ts'
import { createScorePool } from '../../../src/workers/score-pool.ts'
import { patience } from '../../support/machine-speed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(opened.map(pool => pool.close()))
  folder.remove()
})

const workerOf = (name: string, source: string): string => {
  const path = join(folder.path, `${name}.mjs`)
  writeFileSync(path, source)
  return path
}
const worker = workerOf(
  'worker',
  `export default async ({ kind, beats, ms }) => {
    if (kind === 'endless') for (;;);
    if (kind === 'hoard') { const all = []; for (;;) all.push({ text: [all.length] }) }
    if (kind === 'beat') for (let i = 0; i < 4; i++) { Atomics.add(beats, 0, 1); Atomics.wait(beats, 0, beats[0], ms) }
    return kind
  }`,
)
type Plain = (task: object) => unknown
const poolWith = (bounds: Partial<PoolBounds> = {}): BoundedPool => {
  const pool = createBoundedPool({ filename: worker, threads: 1, idleMs: 60_000, deadlineMs: 60_000, heapMb: 64, ...bounds })
  opened.push(pool)
  return pool
}
const limitOf = (work: Promise<unknown>) => work.then(() => null).catch(error => (error instanceof WorkLimitError ? error.limit : error))

describe('a bounded pool', () => {
  test('ends work that is overdue with its thread, and does what waits', async () => {
    const pool = poolWith()
    const endless = limitOf(pool.run<Plain>({ kind: 'endless' }, { deadlineMs: 300 }))
    const next = pool.run<Plain>({ kind: 'next' })
    expect(pool.waiting()).toBe(1)
    expect(await endless).toBe('time')
    expect(await next).toBe('next')
  })

  test('takes tasks and promises answers only as its worker does', async () => {
    type Counts = (task: { readonly kind: string }) => string | null
    const pool = poolWith()
    expect(await pool.run<Counts, string>({ kind: 'next' })).toBe('next')
    // @ts-expect-error the worker answers no number
    await pool.run<Counts, number>({ kind: 'next' })
    // @ts-expect-error the worker knows no such task
    await pool.run<Counts>({ sort: 'next' })
  })

  test('fails the tasks whose thread cannot start, and starts one for the next', async () => {
    const path = join(folder.path, 'late.mjs')
    const pool = poolWith({ filename: path, threads: 2 })
    await Promise.all([1, 2].map(() => expect(pool.run<Plain>({})).rejects.toThrow('Cannot find module')))
    writeFileSync(path, 'export default () => 1')
    expect(await pool.run<Plain>({})).toBe(1)
  })

  test('counts no time in which a task waits for a thread', async () => {
    const pool = poolWith()
    const first = pool.run<Plain>({ kind: 'beat', beats: new Int32Array(new SharedArrayBuffer(4)), ms: 200 })
    expect(await pool.run<Plain>({ kind: 'second' }, { deadlineMs: 700 * patience() })).toBe('second')
    expect(await first).toBe('beat')
  })

  test('counts no time in which this process itself is stopped', async () => {
    const pool = poolWith()
    await pool.run<Plain>({ kind: 'start' })
    const work = pool.run<Plain>({ kind: 'beat', beats: new Int32Array(new SharedArrayBuffer(4)), ms: 100 }, { deadlineMs: 2_000 })
    await nextTurn()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
    expect(await work).toBe('beat')
  })

  test('ends work that overflows its memory, and nothing else', async () => {
    const pool = poolWith()
    expect(await limitOf(pool.run<Plain>({ kind: 'hoard' }))).toBe('memory')
    expect(await pool.run<Plain>({ kind: 'after' })).toBe('after')
  })

  test('ends work with the request that it is for, in its thread and before it', async () => {
    const pool = poolWith()
    const gone = new AbortController()
    const running = pool.run<Plain>({ kind: 'endless' }, { signal: gone.signal })
    const waiting = pool.run<Plain>({ kind: 'never' }, { signal: gone.signal })
    gone.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(pool.waiting()).toBe(0)
    expect(await pool.run<Plain>({ kind: 'after' })).toBe('after')
  })

  test('lets work go on that gets on', async () => {
    const pool = poolWith()
    const beats = new Int32Array(new SharedArrayBuffer(4))
    expect(await pool.run<Plain>({ kind: 'beat', beats, ms: 300 }, { beats, deadlineMs: 1_000 * patience() })).toBe('beat')
  })
})

describe('scoring', () => {
  const scorer = workerOf(
    'scorer',
    `export default ({ metrics, inputs, beats }) => {
      Atomics.add(beats, 0, 1)
      return inputs.map(({ output }) => {
        Atomics.add(beats, 0, 1)
        return metrics.map(({ id }) => {
          if (id === 'broken' || output === id) for (;;);
          if (output === 'hoard') { const all = []; for (;;) all.push({ text: [all.length] }) }
          return { value: 1, class: 'correct', answer: null, answerSpan: null, explanation: '' }
        })
      })
    }`,
  )
  const scorePool = () => {
    const pool = createScorePool(scorer, 1, { outputMs: 400 * patience(), triedMs: 400 * patience(), heapMb: 64 })
    opened.push(pool)
    return pool
  }
  const metric = (id: string): MetricPlan => ({ id, scorer: 'x/y', options: {}, primary: true })
  const input = (output: string) => ({ output, targets: [] })
  const classes = (rows: readonly (readonly { class: string }[])[]) => rows.map(row => row.map(score => score.class).join())

  test('counts an output that breaks a limit as wrong, and takes no other with it', async () => {
    const rows = await scorePool().score([metric('slow'), metric('quick')], ['good', 'slow', 'hoard', 'fine'].map(input))
    expect(classes(rows)).toEqual(['correct,correct', 'wrong,correct', 'wrong,wrong', 'correct,correct'])
    expect(rows[1]?.[0]?.explanation).toContain('breaks the limit of its scorer and an empty one does not')
  })

  test('gives no verdict where an empty output breaks the limit too', async () => {
    const rows = await scorePool().score([metric('broken'), metric('quick')], [input('good')])
    expect(classes(rows)).toEqual(['unscored,correct'])
  })

  test('of one output for a screen waits for no run', async () => {
    const pool = scorePool()
    const run = pool.score([metric('slow')], [input('slow')])
    expect((await pool.try([metric('quick')], input('good'), new AbortController().signal))[0]).toMatchObject({ class: 'correct' })
    expect(classes(await run)).toEqual(['wrong'])
  })
})
