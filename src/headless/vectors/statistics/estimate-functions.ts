import { z } from 'zod'
import { bootstrapMean, bootstrapStandardErrorExact } from '../../../engine/statistics/bootstrap.ts'
import { clusteredStandardErrors, intraclassCorrelation, meanIntervalClustered } from '../../../engine/statistics/clusters.ts'
import type { Estimate, Interval } from '../../../engine/statistics/estimate.ts'
import { bernoulliStandardError, meanAndStandardError, meanIntervalNormal, meanIntervalT } from '../../../engine/statistics/means.ts'
import { benchmarkPassAtK, passAtK, passHatK } from '../../../engine/statistics/pass-at-k.ts'
import {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
  zeroFailuresUpperBound,
} from '../../../engine/statistics/proportions.ts'
import { stratifiedProportion } from '../../../engine/statistics/stratified.ts'
import { varianceComponents } from '../../../engine/statistics/variance-components.ts'
import { winRateWithTies } from '../../../engine/statistics/win-rate.ts'
import { bounds, interval, labels, numbers, plain, type VectorFunction, vectorFunction } from './vector-function.ts'

const number = z.number()
const scores = z.object({ scores: numbers })
const scoresAtLevel = z.object({ scores: numbers, level: number })
const clustered = z.object({ scores: numbers, clusters: labels })
const clusteredAtLevel = z.object({ scores: numbers, clusters: labels, level: number })
const resampled = z.object({ scores: numbers, B: number, seed: number, level: number })
const attempts = z.object({ n: number, c: number, k: number })
const stratum = z.object({ w: number, k: number, n: number })

function proportion(method: (k: number, n: number, level: number) => Estimate<Interval>): VectorFunction {
  return vectorFunction(z.object({ k: number, n: number, level: number }), ({ k, n, level }) => interval(method(k, n, level)))
}

export const estimateFunctions: Readonly<Record<string, VectorFunction>> = {
  mean_se: vectorFunction(scores, inputs => {
    const { mean, standardError, reason } = meanAndStandardError(inputs.scores)
    return plain({ mean, se: standardError }, reason)
  }),
  bernoulli_se: vectorFunction(z.object({ k: number, n: number }), ({ k, n }) => bernoulliStandardError(k, n)),
  ci_mean_t: vectorFunction(scoresAtLevel, inputs => interval(meanIntervalT(inputs.scores, inputs.level))),
  ci_mean_normal: vectorFunction(scoresAtLevel, inputs => interval(meanIntervalNormal(inputs.scores, inputs.level))),
  clustered_se: vectorFunction(clustered, inputs => {
    const { reason, ...errors } = clusteredStandardErrors(inputs.scores, inputs.clusters)
    return plain(errors, reason)
  }),
  ci_mean_clustered_t: vectorFunction(clusteredAtLevel, inputs =>
    interval(meanIntervalClustered(inputs.scores, inputs.clusters, inputs.level)),
  ),
  icc1_design_effect: vectorFunction(clustered, inputs => {
    const { icc, averageSize, designEffect, reason } = intraclassCorrelation(inputs.scores, inputs.clusters)
    return plain({ icc, n0: averageSize, deff: designEffect }, reason)
  }),
  variance_components: vectorFunction(z.object({ scores: z.array(numbers) }), inputs => {
    const found = varianceComponents(inputs.scores)
    const named = {
      mean: found.mean,
      se_mean: found.standardError,
      sigma2_within: found.within,
      omega2_between: found.between,
      se_if_K1: found.standardErrorIfOne,
      se_if_Kinf: found.standardErrorIfMany,
    }
    return plain(named, found.reason)
  }),
  ci_wilson: proportion(wilsonInterval),
  ci_clopper_pearson: proportion(clopperPearsonInterval),
  ci_agresti_coull: proportion(agrestiCoullInterval),
  ci_jeffreys: proportion(jeffreysInterval),
  zero_failures_upper: vectorFunction(z.object({ n: number, alpha: number }), ({ n, alpha }) => zeroFailuresUpperBound(n, alpha)),
  stratified_proportion: vectorFunction(z.object({ strata: z.array(stratum) }), ({ strata }) => {
    const { mean, standardError, reason } = stratifiedProportion(strata.map(({ w, k, n }) => ({ weight: w, successes: k, trials: n })))
    return plain({ estimate: mean, se: standardError }, reason)
  }),
  bootstrap_mean_ci: vectorFunction(resampled, ({ scores: values, B, seed, level }) => {
    const found = bootstrapMean(values, { seed, replicates: B, level })
    const intervals = { percentile: bounds(found.percentile), basic: bounds(found.basic), bca: bounds(found.bca) }
    return plain({ ...intervals, z0: found.z0, accel: found.acceleration, boot_se: found.standardError }, found.reason)
  }),
  cluster_bootstrap_mean_ci: vectorFunction(resampled.extend({ clusters: labels }), ({ scores: values, clusters, B, seed, level }) => {
    const found = bootstrapMean(values, { seed, replicates: B, level, clusters })
    return plain(bounds(found.percentile), found.reason)
  }),
  bootstrap_se_exact: vectorFunction(scores, inputs => {
    const { value, reason } = bootstrapStandardErrorExact(inputs.scores)
    return plain({ se: value }, reason)
  }),
  pass_at_k: vectorFunction(attempts, ({ n, c, k }) => passAtK(n, c, k)),
  pass_hat_k: vectorFunction(attempts, ({ n, c, k }) => passHatK(n, c, k)),
  pass_at_k_benchmark: vectorFunction(z.object({ problems: z.array(z.object({ n: number, c: number })), k: number }), ({ problems, k }) => {
    const { mean, standardError, biasedPlugin, reason } = benchmarkPassAtK(problems, k)
    return plain({ mean, se: standardError, biased_plugin: biasedPlugin }, reason)
  }),
  win_rate_with_ties: vectorFunction(z.object({ wins: number, losses: number, ties: number }), ({ wins, losses, ties }) => {
    const { winRate, standardError, pSignTest, reason } = winRateWithTies(wins, losses, ties)
    return plain({ win_rate: winRate, se: standardError, p_sign_test: pSignTest }, reason)
  }),
}
