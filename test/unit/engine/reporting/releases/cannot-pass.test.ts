import { describe, expect, test } from 'vitest'
import { ReleaseRule } from '../../../../../src/contract/releases/rules.schemas.ts'
import { whyCannotPass } from '../../../../../src/engine/reporting/releases/cannot-pass.ts'

const rule = (fields: object) => ReleaseRule.parse({ key: 'r', ...fields })
const score = (threshold: number, more = {}) => rule({ kind: 'min_score', threshold, ...more })
const on = (tasks: number) => ({ tasks, isOneRate: true })

describe('a rule that cannot pass', () => {
  // 0.95^58 = 0.0510 and 0.95^59 = 0.0485.
  test('names the tasks that a score needs', () => {
    expect(whyCannotPass(score(0.95), on(58), 0.05)).toContain('59 tasks are needed, and there are 58.')
    expect(whyCannotPass(score(0.95), on(59), 0.05)).toBeNull()
  })

  test('names the tasks that an error rate and a latency need', () => {
    const errors = rule({ kind: 'max_error_rate', threshold: 0.05 })
    expect(whyCannotPass(errors, on(58), 0.05)).toContain('59 tasks')
    expect(whyCannotPass(errors, on(59), 0.05)).toBeNull()
    const latency = rule({ kind: 'max_latency', quantile: 0.95, max_ms: 1000 })
    expect(whyCannotPass(latency, on(58), 0.05)).toContain('59 tasks')
    expect(whyCannotPass(latency, on(59), 0.05)).toBeNull()
  })

  test('says where no number of tasks suffices', () => {
    expect(whyCannotPass(score(1), on(10_000), 0.05)).toContain('No number of tasks')
    expect(whyCannotPass(rule({ kind: 'max_error_rate', threshold: 0 }), on(10_000), 0.05)).toContain('No number of tasks')
  })

  test('is not claimed of estimates, evidence, other metrics and several groups', () => {
    expect(whyCannotPass(score(0.95, { basis: 'point' }), on(5), 0.05)).toBeNull()
    expect(whyCannotPass(score(0.95, { source: 'external' }), on(5), 0.05)).toBeNull()
    expect(whyCannotPass(score(0.95, { metric: 'f1' }), on(5), 0.05)).toBeNull()
    expect(whyCannotPass(score(0.95), { tasks: 5, isOneRate: false }, 0.05)).toBeNull()
  })
})
