import { z } from 'zod'
import { alphaSpendingBounds } from '../../../engine/statistics/alpha-spending.ts'
import { confidenceSequence, mixtureSprt } from '../../../engine/statistics/normal-mixture.ts'
import { pairedTSampleSize } from '../../../engine/statistics/paired-t-power.ts'
import {
  comparisonDetectableEffect,
  comparisonSampleSize,
  mcnemarSampleSize,
  noninferioritySampleSize,
  type SampleSize,
  twoProportionSampleSize,
} from '../../../engine/statistics/sample-size.ts'
import type { Estimate } from '../../../engine/statistics/estimate.ts'
import { sequentialMcnemar } from '../../../engine/statistics/sequential-mcnemar.ts'
import { bernoulliSprt } from '../../../engine/statistics/sprt.ts'
import { numbers, type Outcome, plain, type VectorFunction, vectorFunction } from './vector-function.ts'

const number = z.number()
const design = { alpha: number, power: number }
const variances = z.object({ omega2: number, sigma2_a: number, sigma2_b: number, Ka: number, Kb: number, ...design })
const sums = z.object({ mean_diff: number, n: number, sigma2: number, tau2: number, theta0: number })
const sprt = z.object({ successes: number, failures: number, p0: number, p1: number, alpha: number, beta: number })
const spending = z.object({
  spending: z.enum(['obrien_fleming', 'pocock']),
  information_fractions: numbers,
  alpha: number,
  sides: z.union([z.literal(1), z.literal(2)]),
})

function comparison(inputs: z.infer<typeof variances>): Parameters<typeof comparisonSampleSize>[0] {
  return { omega2: inputs.omega2, sigma2A: inputs.sigma2_a, sigma2B: inputs.sigma2_b, answersA: inputs.Ka, answersB: inputs.Kb }
}

function total({ exact, n }: SampleSize): Outcome {
  return plain({ n_exact: exact, n })
}

function perArm({ value, reason }: Estimate<SampleSize>): Outcome {
  return plain(value && { n_per_arm_exact: value.exact, n_per_arm: value.n }, reason)
}

export const planningFunctions: Readonly<Record<string, VectorFunction>> = {
  miller_sample_size: vectorFunction(variances.extend({ delta: number }), inputs => {
    const { value, reason } = comparisonSampleSize(comparison(inputs), inputs.delta, inputs)
    return value === null ? plain(null, reason) : total(value)
  }),
  miller_mde: vectorFunction(variances.extend({ n: number }), inputs => comparisonDetectableEffect(comparison(inputs), inputs.n, inputs)),
  paired_t_sample_size: vectorFunction(z.object({ effect_size_d: number, ...design }), inputs =>
    total(pairedTSampleSize(inputs.effect_size_d, inputs)),
  ),
  mcnemar_sample_size: vectorFunction(z.object({ p_discordant: number, diff: number, ...design }), inputs =>
    total(mcnemarSampleSize(inputs.p_discordant, inputs.diff, inputs)),
  ),
  two_proportion_sample_size: vectorFunction(z.object({ p1: number, p2: number, ...design }), inputs =>
    perArm(twoProportionSampleSize(inputs.p1, inputs.p2, inputs)),
  ),
  noninferiority_sample_size: vectorFunction(z.object({ p_new: number, p_old: number, margin: number, ...design }), inputs =>
    perArm(noninferioritySampleSize(inputs.p_new, inputs.p_old, inputs.margin, inputs)),
  ),
  msprt: vectorFunction(sums, ({ mean_diff: mean, n, sigma2, tau2, theta0 }) => {
    const { lambda, p } = mixtureSprt({ mean, n, sigma2, tau2 }, theta0)
    return plain({ lambda, p_always_valid_at_n: p })
  }),
  confidence_sequence_normal_mixture: vectorFunction(
    z.object({ mean: number, n: number, sigma2: number, tau2: number, alpha: number }),
    inputs => {
      const { interval, fixedHalfWidth } = confidenceSequence(inputs, inputs.alpha)
      return plain({ lower: interval.low, upper: interval.high, fixed_n_half_width: fixedHalfWidth })
    },
  ),
  sequential_mcnemar_evalue: vectorFunction(z.object({ b: number, c: number, prior_a: number, prior_b: number }), inputs => {
    const { eValue, p } = sequentialMcnemar(inputs.b, inputs.c, inputs.prior_a, inputs.prior_b)
    return plain({ e_value: eValue, p_anytime: p })
  }),
  sprt_bernoulli: vectorFunction(sprt, inputs => {
    const { logLikelihoodRatio, upper, lower, decision } = bernoulliSprt(inputs.successes, inputs.failures, inputs)
    return plain({ llr: logLikelihoodRatio, upper, lower, decision })
  }),
  alpha_spending_bounds: vectorFunction(spending, inputs => {
    const { cumulativeAlpha, zBounds, nominalP } = alphaSpendingBounds({ ...inputs, informationFractions: inputs.information_fractions })
    return plain({ cumulative_alpha: cumulativeAlpha, z_bounds: zBounds, nominal_p: nominalP })
  }),
}
