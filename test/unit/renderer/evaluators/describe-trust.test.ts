import { expect, test } from 'vitest'
import type { Estimate } from '../../../../src/contract/runs/results.schemas.ts'
import { describeTrust } from '../../../../src/renderer/evaluators/describe-trust.ts'

const of = (mean: number | null): Estimate => ({ n: 100, mean, standard_error: null, interval: null, reason: null, cautions: [] })
const spending = {
  calls: 100,
  possibly_billed_twice: 0,
  input_tokens: 0,
  output_tokens: 0,
  charged_microusd: '0',
  provider_billed_microusd: '0',
}

test('says how far judge and people agree, how far people do, and what is left out', () => {
  expect(describeTrust({ agreement: of(0.9), kappa: of(0.79), spending }, { alpha: 0.814, tied: 18 })).toBe(
    'The judge agrees with people on 90 % (kappa 0.79); your annotators agree with each other at 0.81; 18 disputed examples are left out.',
  )
})

test('writes a kappa below 0 with a minus sign', () => {
  expect(describeTrust({ agreement: of(0.62), kappa: of(-0.049), spending }, { alpha: null, tied: 0 })).toBe(
    'The judge agrees with people on 62 % (kappa −0.05).',
  )
})

test('says where a version does not hold how far annotators agreed', () => {
  expect(describeTrust({ agreement: of(0.9), kappa: null, spending }, null)).toBe(
    'The judge agrees with people on 90 %; agreement between annotators was not recorded for this version.',
  )
})

test('leaves out what is not known', () => {
  expect(describeTrust({ agreement: of(0.9), kappa: of(null), spending: { ...spending, calls: 0 } }, undefined)).toBe(
    'The evaluator agrees with people on 90 %.',
  )
  expect(describeTrust({ agreement: of(0.9), kappa: null, spending }, { alpha: null, tied: 1 })).toBe(
    'The judge agrees with people on 90 %; 1 disputed example is left out.',
  )
  expect(describeTrust({ agreement: null, kappa: null, spending }, null)).toBeNull()
})
