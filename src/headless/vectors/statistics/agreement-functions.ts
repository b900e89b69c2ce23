import { z } from 'zod'
import { beatProbability, bradleyTerry, strengthDifferenceError } from '../../../engine/statistics/bradley-terry.ts'
import { correlations } from '../../../engine/statistics/correlations.ts'
import { eloUpdate } from '../../../engine/statistics/elo.ts'
import { fleissKappa } from '../../../engine/statistics/fleiss.ts'
import { correctJudgeRate } from '../../../engine/statistics/judge-correction.ts'
import { cohenKappa } from '../../../engine/statistics/kappa.ts'
import { krippendorffAlpha } from '../../../engine/statistics/krippendorff.ts'
import { ppiMean } from '../../../engine/statistics/ppi.ts'
import { at } from '../../../engine/statistics/sample.ts'
import { bounds, numbers, plain, type VectorFunction, vectorFunction } from './vector-function.ts'

const number = z.number()
const ratings = z.object({ units: z.array(z.array(number.nullable())), level: z.enum(['nominal', 'ordinal', 'interval', 'ratio']) })
const judged = z.object({
  judge_rate: number,
  n: number,
  sensitivity: number,
  n_pos: number,
  specificity: number,
  n_neg: number,
  level: number,
})
const predictions = z.object({
  human: numbers,
  judge_on_labelled: numbers,
  judge_on_unlabelled: numbers,
  lambda: number.nullable(),
  level: number,
})

export const agreementFunctions: Readonly<Record<string, VectorFunction>> = {
  cohen_kappa: vectorFunction(z.object({ table: z.array(numbers) }), ({ table }) => {
    const found = cohenKappa(table)
    const named = {
      kappa: found.kappa,
      se: found.standardError,
      se_null: found.standardErrorNull,
      ci: bounds(found.interval),
      agreement: found.agreement,
      gwet_ac1: found.gwetAc1,
      kappa_linear: cohenKappa(table, 'linear').kappa,
      kappa_quadratic: cohenKappa(table, 'quadratic').kappa,
    }
    return plain(named, found.reason)
  }),
  fleiss_kappa: vectorFunction(z.object({ counts: z.array(numbers) }), ({ counts }) => fleissKappa(counts)),
  krippendorff_alpha: vectorFunction(ratings, ({ units, level }) => {
    const { alpha, reason } = krippendorffAlpha(units, level)
    return plain(alpha, reason)
  }),
  correlations: vectorFunction(z.object({ x: numbers, y: numbers }), ({ x, y }) => {
    const { pearson, pearsonInterval, spearman, kendallTauB, reason } = correlations(x, y)
    return plain({ pearson, pearson_ci95: bounds(pearsonInterval), spearman, kendall_tau_b: kendallTauB }, reason)
  }),
  judge_corrected_rate: vectorFunction(judged, ({ judge_rate: judgeRate, n_pos: positives, n_neg: negatives, level, ...rest }) => {
    const { raw, rate, standardError, interval, reason } = correctJudgeRate({ judgeRate, positives, negatives, ...rest }, level)
    return plain({ theta_raw: raw, theta: rate, se_delta: standardError, ci_lang_reiczigel: bounds(interval) }, reason)
  }),
  ppi_mean: vectorFunction(
    predictions,
    ({ human, judge_on_labelled: judgeOnLabeled, judge_on_unlabelled: judgeOnUnlabeled, lambda, level }) => {
      const options = lambda === null ? { level } : { level, lambda }
      const found = ppiMean({ human, judgeOnLabeled, judgeOnUnlabeled }, options)
      return plain({ theta: found.estimate, se: found.standardError, lambda_used: found.lambda, ci: bounds(found.interval) }, found.reason)
    },
  ),
  elo_update: vectorFunction(z.object({ ra: number, rb: number, score_a: number, k: number }), ({ ra, rb, score_a: scoreA, k }) => {
    const { expectedA, ratingA, ratingB } = eloUpdate(ra, rb, scoreA, k)
    return plain({ expected_a: expectedA, ra: ratingA, rb: ratingB })
  }),
  bradley_terry: vectorFunction(z.object({ wins: z.array(numbers) }), ({ wins }) => {
    const { fit, reason } = bradleyTerry(wins)
    if (fit === null) return plain(null, reason)
    const { logStrengths, standardErrors, eloScale } = fit
    return plain({
      log_strength: logStrengths,
      se: standardErrors,
      elo_scale: eloScale,
      p_first_beats_second: beatProbability(at(logStrengths, 0), at(logStrengths, 1)),
      se_diff_0_1: strengthDifferenceError(fit, 0, 1),
    })
  }),
}
