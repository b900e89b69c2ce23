import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createJournal } from '../../../../src/engine/execution/scheduler/journal.ts'
import type { ClaimedSample, Commit, ScoreReport } from '../../../../src/engine/execution/scheduler/ports.ts'
import { answered, attemptReport } from './fixtures.ts'

const claimed: ClaimedSample = { position: 7, profileNo: 0, taskNo: 1, epoch: 1, fence: 1, attempt: 1, refusals: 0 }
const score = (position: number): ScoreReport => ({
  position,
  profileNo: 0,
  fence: 1,
  finishedAt: 0,
  outputTokens: null,
  answer: null,
  scores: [],
})
const diskFull = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** A journal whose writes are noted; `fail` decides what each one throws. */
function journalWith(fail: () => unknown = () => null) {
  const commits: Commit[] = []
  const journal = createJournal({
    monotonic: () => performance.now(),
    passes: error => error === diskFull,
    write: async commit => {
      const error = fail()
      if (error !== null) throw error
      commits.push(commit)
      return commit.claim > 0 ? [claimed] : []
    },
  })
  return { journal, commits }
}

describe('group commit', () => {
  test('writes what ends within a moment in one transaction', async () => {
    const { journal, commits } = journalWith()
    const waiting = [
      journal.attempt(attemptReport(1)),
      journal.attempt(attemptReport(2)),
      journal.scores([score(3), score(4)]),
      journal.claim(5),
    ]
    expect(commits).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    await Promise.all(waiting)
    expect(commits).toMatchObject([
      {
        attempts: [{ sample: { position: 1 } }, { sample: { position: 2 } }],
        scores: [{ position: 3 }, { position: 4 }],
        claim: 5,
        claimBelow: null,
      },
    ])
  })

  test('does not make a full group wait', () => {
    const { journal, commits } = journalWith()
    for (let i = 0; i < 128; i++) void journal.attempt(attemptReport(i))
    expect(commits[0]?.attempts).toHaveLength(128)
  })

  test('puts no more than some megabytes of answers together, in their order', async () => {
    const { journal, commits } = journalWith()
    const long = { ...answered(), response: new Uint8Array(3_000_000) }
    const waiting = Array.from({ length: 5 }, (_, i) => journal.attempt(attemptReport(i, long)))
    waiting.push(journal.scores([score(5)]))
    expect(journal.waiting()).toBe(5)
    expect(journal.waitingBytes()).toBeGreaterThan(15_000_000)
    await vi.advanceTimersByTimeAsync(20)
    await Promise.all(waiting)
    expect(commits.map(({ attempts }) => attempts.map(({ sample }) => sample.position))).toEqual([[0, 1], [2, 3], [4]])
    expect(commits.at(-1)?.scores).toMatchObject([{ position: 5 }])
    expect(journal.waitingBytes()).toBe(0)
  })

  test('resolves only after the write, claims with the claimed samples', async () => {
    const { journal } = journalWith()
    let durable = false
    const attempt = journal.attempt(attemptReport(1)).then(() => {
      durable = true
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(durable).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await attempt
    const claim = journal.claim(1)
    await vi.advanceTimersByTimeAsync(2)
    expect(await claim).toEqual([claimed])
  })

  test('is settled when everything handed in is written', async () => {
    const { journal, commits } = journalWith()
    await journal.settled()
    void journal.attempt(attemptReport(1))
    const settled = journal.settled().then(() => expect(commits).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(2)
    await settled
  })

  test('takes one claim at a time', async () => {
    const { journal } = journalWith()
    void journal.claim(1)
    await expect(journal.claim(1)).rejects.toThrow('One claim at a time.')
  })
})

describe('a write that fails', () => {
  test('rejects everybody who waits for it, and the next is written', async () => {
    const errors: unknown[] = [new Error('the database is broken')]
    const { journal, commits } = journalWith(() => errors.shift() ?? null)
    const waiting = [journal.attempt(attemptReport(1)), journal.scores([score(1)]), journal.claim(1), journal.settled()]
    const outcomes = Promise.allSettled(waiting)
    await vi.advanceTimersByTimeAsync(2)
    expect((await outcomes).map(outcome => outcome.status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    const next = journal.attempt(attemptReport(2))
    await vi.advanceTimersByTimeAsync(2)
    await next
    expect(commits).toHaveLength(1)
  })

  test('because the disk is full is tried again until there is room, and loses nothing', async () => {
    let full = true
    const { journal, commits } = journalWith(() => (full ? diskFull : null))
    const waiting = [journal.attempt(attemptReport(1)), journal.claim(1)]
    await vi.advanceTimersByTimeAsync(2)
    expect(journal.blocked()).toBe('database or disk is full')
    for (let i = 2; i <= 100; i++) waiting.push(journal.attempt(attemptReport(i)))
    await vi.advanceTimersByTimeAsync(5000)
    expect(commits).toEqual([])
    full = false
    await vi.advanceTimersByTimeAsync(1000)
    await Promise.all(waiting)
    expect(commits[0]?.attempts.map(report => report.sample.position)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    expect(journal.blocked()).toBeNull()
  })

  test('for a while is given up when the process closes', async () => {
    const { journal } = journalWith(() => diskFull)
    const outcomes = Promise.allSettled([journal.attempt(attemptReport(1))])
    await vi.advanceTimersByTimeAsync(2)
    journal.abandon()
    expect(await outcomes).toMatchObject([{ status: 'rejected', reason: diskFull }])
    const later = Promise.allSettled([journal.attempt(attemptReport(2))])
    await vi.advanceTimersByTimeAsync(2000)
    expect(await later).toMatchObject([{ status: 'rejected' }])
  })
})
