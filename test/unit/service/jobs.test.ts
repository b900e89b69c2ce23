import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/contract/errors.ts'
import type { Job } from '../../../src/contract/jobs/jobs.schemas.ts'
import type { JobContext, JobEnd, NewJob } from '../../../src/service/jobs/index.ts'
import { claimJob } from '../../../src/service/jobs/jobs.store.ts'
import { handlerOf, type JobsBench, jobsFor, jobsOn, type Named, workspaces } from '../../support/jobs.ts'

const [workspace, other] = workspaces
let bench: JobsBench

const newJob = (name: string, workspaceId: string | null = workspace): NewJob => ({
  workspaceId,
  owner: { kind: 'service' },
  input: { name },
  subject: { type: 'thing', id: name },
})
const read = (id: string, workspaceId: string = workspace): Job => bench.jobs.read(workspaceId, id)
const ended = (id: string) => expect.poll(() => read(id).finished_at).not.toBeNull()

/** A handler whose jobs wait until the test lets them go on. */
function gated() {
  const begun: string[] = []
  const contexts = new Map<string, JobContext<Named>>()
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gate = (name: string) => gates.get(name) ?? gates.set(name, Promise.withResolvers()).get(name)
  return {
    begun,
    contexts,
    open: (name: string) => gate(name)?.resolve(),
    run: async (job: JobContext<Named>) => {
      begun.push(job.input.name)
      contexts.set(job.input.name, job)
      await gate(job.input.name)?.promise
    },
  }
}

beforeEach(() => {
  bench = jobsOn()
})
afterEach(async () => {
  await bench.jobs.close()
  bench.db.close()
})

describe('a job', () => {
  test('runs after the commit of the transaction that enqueued it, and never after a rollback', async () => {
    const names: string[] = []
    bench.jobs.register(handlerOf('backup', { run: async ({ input }) => void names.push(input.name) }))
    bench.jobs.start()
    const { db, jobs } = bench
    expect(() =>
      db.transaction(() => {
        jobs.enqueue('backup', newJob('undone'))
        throw new Error('no')
      }),
    ).toThrow('no')
    const id = db.transaction(() => {
      const made = jobs.enqueue('backup', newJob('kept'))
      expect(read(made)).toMatchObject({ state: 'queued', attempt: 0, started_at: null })
      return made
    })
    await ended(id)
    expect(names).toEqual(['kept'])
    expect(read(id)).toMatchObject({ state: 'succeeded', attempt: 1, error: null, subject: { type: 'thing', id: 'kept' } })
  })

  test('says since when it has got no further', async () => {
    const { begun, contexts, open, run } = gated()
    bench.jobs.register(handlerOf('backup', { run }))
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => begun).toEqual(['a'])
    const report = (done: number) => contexts.get('a')?.progress({ done, total: 10 })
    const quietSince = () => read(id).quiet_since
    report(1)
    const moved = bench.clock.now().toISOString()
    bench.clock.advance(4 * 60_000)
    report(1)
    expect(quietSince()).toBeNull()
    bench.clock.advance(60_000)
    expect(quietSince()).toBe(moved)
    contexts.get('a')?.commit(() => {})
    expect(quietSince()).toBeNull()
    bench.clock.advance(5 * 60_000)
    expect(quietSince()).not.toBeNull()
    report(2)
    expect(quietSince()).toBeNull()
    open('a')
    await ended(id)
    bench.clock.advance(60 * 60_000)
    expect(quietSince()).toBeNull()
  })

  test('may tell parts of a whole, over seconds', async () => {
    const run: Parameters<typeof handlerOf>[1]['run'] = async ({ progress }) => {
      for (const done of [0.25, 0.5, 0.75]) {
        bench.clock.advance(2_000)
        progress({ done, total: 1 })
      }
    }
    bench.jobs.register(handlerOf('backup', { run }))
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await ended(id)
    expect(read(id)).toMatchObject({ state: 'succeeded', progress: { done: 0.75 } })
  })

  test('ends although what it told of its progress cannot be stored, and the next begins', async () => {
    const ends: string[] = []
    const run: Parameters<typeof handlerOf>[1]['run'] = async ({ input, progress }) => {
      bench.clock.advance(2_000)
      progress({ done: input.name === 'a' ? Number.NaN : 1, total: 1 })
    }
    bench.jobs.register(handlerOf('backup', { run, ended: ({ input }, { state }) => void ends.push(`${input.name} ${state}`) }))
    bench.jobs.start()
    const ids = ['a', 'b'].map(name => bench.jobs.enqueue('backup', newJob(name)))
    for (const id of ids) await ended(id)
    expect(ids.map(id => read(id).state)).toEqual(['failed', 'succeeded'])
    expect(ends).toEqual(['a failed'])
  })

  test('that nobody works on has got no further since it began', () => {
    bench.jobs.register(handlerOf('backup', gated()))
    const id = bench.jobs.enqueue('backup', newJob('a'))
    const began = bench.clock.now().toISOString()
    claimJob(bench.db, id, began)
    bench.clock.advance(5 * 60_000)
    expect(read(id).quiet_since).toBe(began)
  })

  test('stores its last write together with its success', async () => {
    bench.jobs.register(
      handlerOf('backup', {
        run:
          async ({ id }) =>
          () =>
            expect(read(id).state).toBe('running'),
      }),
    )
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await ended(id)
    expect(read(id).state).toBe('succeeded')
  })

  test.each([
    ['a refusal with its code', new ApiError('conflict', 'It is there already.'), 'conflict', /^It is there already\.$/],
    ['anything else without its text', new Error('secret path'), 'internal_error', /^The job failed because of an error in Assay/],
  ])('fails with %s', async (_what, error, code, message) => {
    const ends: JobEnd[] = []
    bench.jobs.register(handlerOf('backup', { run: () => Promise.reject(error), ended: (_job, end) => void ends.push(end) }))
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await ended(id)
    expect(read(id)).toMatchObject({ state: 'failed', error: { code, message: expect.stringMatching(message) } })
    expect(ends).toEqual([{ state: 'failed', code, message: read(id).error?.message }])
  })

  test.each([
    [
      'the handler throws before it awaits',
      () => {
        throw new Error('at once')
      },
      undefined,
    ],
    [
      'the last write throws',
      async () => () => {
        throw new Error('last')
      },
      undefined,
    ],
    [
      'the hook that ends its record throws too',
      () => Promise.reject(new Error('run')),
      () => {
        throw new Error('hook')
      },
    ],
    ['something that is no error is thrown', () => Promise.reject(undefined), undefined],
  ])('ends as failed when %s', async (_when, run, hook) => {
    bench.jobs.register(handlerOf('backup', { run, ended: hook ?? (() => {}) }))
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await ended(id)
    expect(read(id)).toMatchObject({ state: 'failed', error: { code: 'internal_error' } })
  })

  test('fails when its stored input no longer fits its handler', async () => {
    bench.jobs.register(handlerOf('backup', { run: async () => {} }))
    const id = bench.jobs.enqueue('backup', newJob('a'))
    bench.db.prepare(`update jobs set input = '{"title":"a"}' where id = ?`).run(id)
    bench.jobs.start()
    await ended(id)
    expect(read(id)).toMatchObject({ state: 'failed', error: { code: 'internal_error' } })
  })

  test('publishes progress immediately and stores it at most once a second', async () => {
    const gate = gated()
    bench.jobs.register(handlerOf('backup', gate))
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => gate.begun).toEqual(['a'])
    const stored = () => bench.db.prepare('select progress from jobs where id = ?').get(id)
    const job = gate.contexts.get('a')
    job?.progress({ done: 1, total: 4 })
    expect(read(id).progress).toEqual({ done: 1, total: 4, message: null })
    expect(stored()).toEqual({ progress: null })
    bench.clock.advance(1_000)
    job?.progress({ done: 2, total: 4, message: 'reading' })
    expect(stored()).toEqual({ progress: '{"done":2,"total":4,"message":"reading"}' })
    job?.progress({ done: 4, total: 4 })
    gate.open('a')
    await ended(id)
    expect(read(id).progress).toEqual({ done: 4, total: 4, message: null })
  })
})

describe('cancelling', () => {
  test('ends a waiting job without running it', async () => {
    const gate = gated()
    const ends: unknown[] = []
    bench.jobs.register(handlerOf('backup', { ...gate, ended: ({ input }, end) => void ends.push([input.name, end]) }))
    bench.jobs.start()
    const first = bench.jobs.enqueue('backup', newJob('first'))
    const second = bench.jobs.enqueue('backup', newJob('second'))
    expect(bench.jobs.cancel(workspace, second)).toMatchObject({ state: 'cancelled', error: { code: 'cancelled' } })
    gate.open('first')
    await ended(first)
    expect(gate.begun).toEqual(['first'])
    expect(ends).toEqual([['second', { state: 'cancelled', code: 'cancelled', message: 'The job was cancelled.' }]])
    expect(() => bench.jobs.cancel(workspace, second)).toThrow(expect.objectContaining({ code: 'illegal_transition' }))
  })

  test('aborts a running job and rejects its later writes', async () => {
    const gate = gated()
    let wasLastWritten = false
    bench.jobs.register(
      handlerOf('backup', {
        run: async job => {
          await gate.run(job)
          expect(() => job.commit(() => expect.unreachable())).toThrow('The job was cancelled.')
          return () => (wasLastWritten = true)
        },
      }),
    )
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => gate.begun).toEqual(['a'])
    bench.jobs.cancel(workspace, id)
    expect(gate.contexts.get('a')?.signal.aborted).toBe(true)
    gate.open('a')
    // Its place is free once it has let go.
    const next = bench.jobs.enqueue('backup', newJob('b'))
    gate.open('b')
    await expect.poll(() => gate.begun).toEqual(['a', 'b'])
    await ended(next)
    expect(read(id).state).toBe('cancelled')
    expect(wasLastWritten).toBe(false)
  })

  test('is refused where the hook refuses it, and the job continues', async () => {
    const gate = gated()
    bench.jobs.register(
      handlerOf('backup', {
        ...gate,
        ended: () => {
          throw new ApiError('conflict', 'The database is being replaced.')
        },
      }),
    )
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => gate.begun).toEqual(['a'])
    expect(() => bench.jobs.cancel(workspace, id)).toThrow('The database is being replaced.')
    expect(gate.contexts.get('a')?.signal.aborted).toBe(false)
    gate.open('a')
    await ended(id)
    expect(read(id).state).toBe('succeeded')
  })

  test('and reading are refused to another workspace; jobs of the machine are visible to all', () => {
    bench.jobs.register(handlerOf('backup', gated()))
    const id = bench.jobs.enqueue('backup', newJob('a'))
    const machineWide = bench.jobs.enqueue('backup', newJob('b', null))
    for (const act of ['read', 'cancel', 'retry'] as const)
      expect(() => bench.jobs[act](other, id, 'starter')).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(bench.jobs.list(other, { limit: 10 }).items.map(job => job.id)).toEqual([machineWide])
    expect(bench.jobs.list(workspace, { limit: 10 }).items.map(job => job.id)).toEqual([machineWide, id])
  })
})

describe('retrying', () => {
  test('runs a failed job again from its last checkpoint, its record reopened', async () => {
    const seen: unknown[] = []
    bench.jobs.register(
      handlerOf('backup', {
        run: async job => {
          seen.push(job.checkpoint)
          if (job.checkpoint !== null) return
          job.commit(() => undefined, { row: 7 })
          expect(job.checkpoint).toEqual({ row: 7 })
          throw new ApiError('unavailable', 'not now')
        },
        retried: ({ input }) => void seen.push(`reopened ${input.name}`),
      }),
    )
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await ended(id)
    expect(read(id)).toMatchObject({ state: 'failed', retryable: true })
    expect(bench.jobs.retry(workspace, id, 'starter')).toMatchObject({ state: 'queued', attempt: 0, error: null, finished_at: null })
    await ended(id)
    expect(read(id)).toMatchObject({ state: 'succeeded', retryable: false, attempt: 1 })
    expect(seen).toEqual([null, 'reopened a', { row: 7 }])
    expect(() => bench.jobs.retry(workspace, id, 'starter')).toThrow(expect.objectContaining({ code: 'illegal_transition' }))
  })

  test('is refused for a kind whose record cannot be reopened', async () => {
    bench.jobs.register(handlerOf('backup', { run: () => Promise.reject(new ApiError('unavailable', 'no')) }))
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await ended(id)
    expect(read(id).retryable).toBe(false)
    expect(() => bench.jobs.retry(workspace, id, 'starter')).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  test('of a cancelled job waits until its earlier attempt has let go, which can write nothing', async () => {
    const gate = gated()
    const attempts: JobContext<Named>[] = []
    bench.jobs.register(
      handlerOf('backup', {
        concurrency: 2,
        run: async job => {
          attempts.push(job)
          if (attempts.length === 1) await gate.run(job)
        },
        retried: () => {},
      }),
    )
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => attempts.length).toBe(1)
    bench.jobs.cancel(workspace, id)
    bench.jobs.retry(workspace, id, 'starter')
    expect(attempts.length).toBe(1)
    expect(() => attempts[0]?.commit(() => expect.unreachable())).toThrow('The job was cancelled.')
    gate.open('a')
    await ended(id)
    expect(attempts.length).toBe(2)
    expect(read(id).state).toBe('succeeded')
  })
})

describe('a lane', () => {
  test('runs as many jobs as it may, and gives each workspace its turn', async () => {
    const gate = gated()
    bench.jobs.register(handlerOf('backup', { ...gate, lane: 'x', concurrency: 2 }))
    bench.jobs.start()
    const ids = ['a1', 'a2', 'a3', 'a4'].map(name => bench.jobs.enqueue('backup', newJob(name, workspace)))
    const last = bench.jobs.enqueue('backup', newJob('b1', other))
    await expect.poll(() => gate.begun).toEqual(['a1', 'a2'])
    gate.open('a1')
    await expect.poll(() => gate.begun).toEqual(['a1', 'a2', 'b1'])
    for (const name of ['a2', 'a3', 'a4', 'b1']) gate.open(name)
    for (const id of ids) await ended(id)
    await expect.poll(() => read(last, other).state).toBe('succeeded')
    expect(gate.begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
  })

  test('is shared by its kinds and does not hold up another', async () => {
    const gate = gated()
    const free = gated()
    bench.jobs.register(handlerOf('backup', { ...gate, lane: 'x' }))
    bench.jobs.register(handlerOf('backup_check', { ...gate, lane: 'x' }))
    bench.jobs.register(handlerOf('regrade', { ...free, lane: 'y' }))
    expect(() => bench.jobs.register(handlerOf('run_deletion', { ...gate, lane: 'x', concurrency: 2 }))).toThrow('differ in concurrency')
    bench.jobs.start()
    bench.jobs.enqueue('backup', newJob('first'))
    bench.jobs.enqueue('backup_check', newJob('second'))
    bench.jobs.enqueue('regrade', newJob('third'))
    await expect.poll(() => free.begun).toEqual(['third'])
    expect(gate.begun).toEqual(['first'])
    for (const name of ['first', 'second']) gate.open(name)
    free.open('third')
    await expect.poll(() => gate.begun).toEqual(['first', 'second'])
  })
})

describe('a disk that takes nothing', () => {
  const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  const refused = new ApiError('unavailable', 'The disk is full.')
  const storage = {
    note: (error: unknown) => (error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL' ? refused : null),
    attempt: (write: () => void) => write(),
  }

  test('is waited for with the end of a job', async () => {
    const jobs = jobsFor(bench.db, bench.clock, storage)
    let tries = 0
    jobs.register(
      handlerOf('backup', {
        run: async () => () => {
          if (++tries === 1) throw full()
        },
      }),
    )
    jobs.start()
    const id = jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => jobs.read(workspace, id).state).toBe('succeeded')
    expect(tries).toBe(2)
    await jobs.close()
  })

  test('in the midst of a job fails it with that reason', async () => {
    const jobs = jobsFor(bench.db, bench.clock, storage)
    jobs.register(handlerOf('backup', { run: () => Promise.reject(full()) }))
    jobs.start()
    const id = jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => jobs.read(workspace, id).error).toEqual({ code: 'unavailable', message: 'The disk is full.' })
    await jobs.close()
  })
})

describe('stopping the service', () => {
  test('puts a running job back into the queue without counting the attempt', async () => {
    const gate = gated()
    bench.jobs.register(
      handlerOf('backup', {
        run: async job => {
          gate.begun.push(job.input.name)
          await new Promise(resolve => job.signal.addEventListener('abort', resolve))
        },
      }),
    )
    bench.jobs.start()
    const id = bench.jobs.enqueue('backup', newJob('a'))
    await expect.poll(() => gate.begun).toEqual(['a'])
    await bench.jobs.close()
    expect(read(id)).toMatchObject({ state: 'queued', attempt: 0, finished_at: null })
  })

  test('gives up a job that was running twice in a row when the service died, alone, and got no further', () => {
    const ends: JobEnd[] = []
    bench.jobs.register(handlerOf('backup', { ...gated(), ended: (_job, end) => void ends.push(end) }))
    const id = bench.jobs.enqueue('backup', newJob('a'))
    bench.db.prepare(`update jobs set state = 'running', attempt = 2, interruptions = 1 where id = ?`).run(id)
    bench.jobs.start()
    expect(read(id)).toMatchObject({ state: 'failed', error: { code: 'internal_error', message: expect.stringContaining('2 times') } })
    expect(ends).toHaveLength(1)
  })

  test.each([
    [4, 'succeeded'],
    [5, 'failed'],
  ])('gives up a job at the fifth death where runs were going on too: %i deaths, %s', async (deaths, expected) => {
    bench.jobs.register(handlerOf('backup', { run: async () => {} }))
    const id = bench.jobs.enqueue('backup', newJob('a'))
    bench.db.prepare(`update jobs set state = 'running', attempt = ?, interruptions = ? where id = ?`).run(deaths, deaths - 1, id)
    bench.jobs.start(() => true)
    await expect.poll(() => read(id).state).toBe(expected)
  })

  test('counts what is stored as getting further, whatever the job tells', () => {
    let answers = 3
    bench.jobs.register(handlerOf('backup', { ...gated(), stored: () => answers }))
    const id = bench.jobs.enqueue('backup', newJob('a'))
    const die = () => {
      bench.db.prepare(`update jobs set state = 'running' where id = ?`).run(id)
      const jobs = jobsFor(bench.db, bench.clock)
      jobs.register(handlerOf('backup', { run: () => new Promise(() => {}), stored: () => answers }))
      jobs.start()
    }
    for (answers = 3; answers < 10; answers++) die()
    expect(read(id).state).toBe('running')
    answers = 9
    die()
    expect(read(id).state).toBe('failed')
  })

  test('resumes jobs that died together one at a time, and blames the one that dies alone', async () => {
    const names = ['innocent', 'culprit', 'bystander']
    const life = () => {
      const jobs = jobsFor(bench.db, bench.clock)
      const started: string[] = []
      const ends = new Map<string, () => void>()
      jobs.register({
        ...handlerOf('backup', {
          run: async job => {
            started.push(job.input.name)
            await new Promise<void>(resolve => ends.set(job.input.name, resolve))
          },
        }),
        concurrency: 3,
      })
      return { jobs, started, end: (name: string) => ends.get(name)?.() }
    }
    const first = life()
    const ids = names.map(name => first.jobs.enqueue('backup', newJob(name)))
    first.jobs.start()
    await expect.poll(() => first.started).toEqual(names)
    // The service dies, and again once the culprit is the only one.
    const second = life()
    second.jobs.start()
    await expect.poll(() => second.started).toEqual(['innocent'])
    const fresh = second.jobs.enqueue('backup', newJob('fresh'))
    await expect.poll(() => second.started).toEqual(['innocent', 'fresh'])
    second.end('fresh')
    await expect.poll(() => read(fresh).state).toBe('succeeded')
    second.end('innocent')
    await expect.poll(() => second.started).toEqual(['innocent', 'fresh', 'culprit'])
    const third = life()
    third.jobs.start()
    await expect.poll(() => third.started).toEqual(['bystander'])
    third.end('bystander')
    await expect.poll(() => ids.map(id => read(id).state)).toEqual(['succeeded', 'failed', 'succeeded'])
  })

  /** One life of the service on the same database: the job does what it is told, and then the process is gone. */
  const live = async (id: string | null, run: (job: JobContext<Named>) => void): Promise<string> => {
    const begun = Promise.withResolvers<void>()
    const jobs = jobsFor(bench.db, bench.clock)
    jobs.register(
      handlerOf('backup', {
        run: async job => {
          run(job)
          begun.resolve()
          // What is killed never ends.
          await new Promise(() => {})
        },
      }),
    )
    const known = id ?? jobs.enqueue('backup', newJob('a'))
    jobs.start()
    if (jobs.read(workspace, known).state !== 'failed') await begun.promise
    return known
  }
  const steps: readonly (readonly [string, boolean, (job: JobContext<Named>, life: number) => void])[] = [
    ['another checkpoint each time', true, (job, life) => job.commit(() => {}, { row: life })],
    ['the same checkpoint each time', false, job => job.commit(() => {}, { row: 1 })],
    [
      'more progress each time',
      true,
      (job, life) => {
        job.progress({ done: life, total: 99 })
        job.commit(() => {})
      },
    ],
    [
      'now more and now less, but never more than at first',
      false,
      (job, life) => {
        job.progress({ done: life % 2 === 1 ? 9 : 3, total: 99 })
        job.commit(() => {})
      },
    ],
  ]
  test.each(steps)('a job killed eight times with %s (continued: %s)', async (_what, continues, step) => {
    let id = await live(null, job => step(job, 1))
    for (let life = 2; life <= 8; life++) id = await live(id, job => step(job, life))
    expect(read(id)).toMatchObject(continues ? { state: 'running', attempt: 8 } : { state: 'failed' })
  })
})

describe('listing', () => {
  test('pages from the newest, by kind and state, and refuses a cursor of other filters', async () => {
    bench.jobs.register(handlerOf('backup', { run: async () => {} }))
    bench.jobs.register(handlerOf('regrade', { run: async () => {} }))
    const ids = ['a', 'b', 'c'].map(name => bench.jobs.enqueue('backup', newJob(name)))
    const regrade = bench.jobs.enqueue('regrade', newJob('d'))
    const first = bench.jobs.list(workspace, { limit: 2, kind: 'backup' })
    expect(first.items.map(job => job.id)).toEqual([ids[2], ids[1]])
    const cursor = first.next_cursor ?? ''
    const second = bench.jobs.list(workspace, { limit: 2, kind: 'backup', cursor })
    expect(second).toMatchObject({ items: [{ id: ids[0] }], next_cursor: null })
    expect(() => bench.jobs.list(workspace, { limit: 2, cursor })).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))
    bench.jobs.cancel(workspace, regrade)
    expect(bench.jobs.list(workspace, { limit: 9, state: 'cancelled' }).items.map(job => job.id)).toEqual([regrade])
  })
})
