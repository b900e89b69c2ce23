import { describe, expect, test } from 'vitest'
import type { RunPart } from '../../../../src/contract/runs/runs.schemas.ts'
import { canRetry, isAtRest, offersRetry, presentStatus, whyStopped, withoutScore } from '../../../../src/renderer/runs/follow-up.ts'
import { isUnsettled } from '../../../../src/renderer/runs/runs.queries.ts'
import { progressFixture, runFixture } from './fixtures.ts'

const part = (status: RunPart['status']): RunPart => ({
  run_id: '01900000-0000-7000-8000-0000000000b1',
  selection: 'failed',
  status,
  samples: 3,
  result_version: null,
  created_at: '2026-11-20T10:00:00.000Z',
  started_at: null,
  finished_at: null,
})
const whole = '01900000-0000-7000-8000-0000000000a9'

describe('what can be done to a run', () => {
  test('waits for its end, its parts and a regrade', () => {
    expect(isAtRest(runFixture())).toBe(true)
    expect(isAtRest(runFixture({ parts: [part('complete')] }))).toBe(true)
    expect(isAtRest(runFixture({ status: 'running', result_version: null }))).toBe(false)
    expect(isAtRest(runFixture({ parts: [part('complete'), part('running')] }))).toBe(false)
    expect(isAtRest(runFixture({ regrade: { result_version: 2, graded: 1, samples: 400, job_id: null } }))).toBe(false)
  })

  test('is not to ask a part again', () => {
    expect(canRetry(runFixture())).toBe(true)
    expect(canRetry(runFixture({ part_of: whole }))).toBe(false)
  })

  test('is no retry where a tuning session stopped asking on purpose', () => {
    const stopped = (code: string) => {
      const progress = progressFixture({ scored: 100, cancelled: 300 })
      return runFixture({ status: 'partial', progress, stop_reason: { code, message: 'It ended.' } })
    }
    expect(offersRetry(stopped('cap_reached'))).toBe(true)
    expect(offersRetry(stopped('decided_early'))).toBe(false)
    expect(offersRetry(runFixture({ progress: progressFixture({ scored: 400 }) }))).toBe(false)
  })

  test('counts what asking again could score: not what was excluded', () => {
    const progress = progressFixture({ scored: 380, failed: 5, missing: 6, cancelled: 7, excluded: 2 })
    expect(withoutScore({ progress })).toBe(18)
  })
})

describe('the state of a run in a word', () => {
  test('is what is under way, then how it ended', () => {
    const regrade = { result_version: 2, graded: 0, samples: 400, job_id: null }
    expect(presentStatus(runFixture({ status: 'partial', parts: [part('failed')] })).word).toBe('Partial')
    expect(presentStatus(runFixture({ status: 'partial', parts: [part('running')] })).word).toBe('Retrying')
    expect(presentStatus(runFixture({ regrade })).word).toBe('Grading again')
  })
})

describe('why a run stopped', () => {
  test('is shown until parts have scored the rest', () => {
    const stop_reason = { code: 'cap_reached', message: 'Raise the cap to go on.' }
    expect(whyStopped(runFixture({ status: 'partial', stop_reason }))).toEqual(stop_reason)
    expect(whyStopped(runFixture({ status: 'complete', stop_reason }))).toBeNull()
  })
})

describe('a run that is read again and again', () => {
  test('is one that can still change by itself', () => {
    expect(isUnsettled(runFixture())).toBe(false)
    expect(isUnsettled(runFixture({ status: 'running' }))).toBe(true)
    expect(isUnsettled(runFixture({ parts: [part('queued')] }))).toBe(true)
    expect(isUnsettled(runFixture({ regrade: { result_version: 2, graded: 0, samples: 400, job_id: null } }))).toBe(true)
  })

  test('is one that ended just now without its result, unless it is a part, which has none', () => {
    const lately = { result_version: null, finished_at: new Date().toISOString() }
    expect(isUnsettled(runFixture(lately))).toBe(true)
    expect(isUnsettled(runFixture({ ...lately, part_of: whole }))).toBe(false)
    expect(isUnsettled(runFixture({ result_version: null }))).toBe(false)
  })
})
