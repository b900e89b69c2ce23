import { z } from 'zod'
import { adjustPValues, holmRejections } from '../../../engine/statistics/adjustments.ts'
import { mcnemar } from '../../../engine/statistics/mcnemar.ts'
import { noninferiorityPaired } from '../../../engine/statistics/noninferiority-paired.ts'
import { noninferiorityTwoProportions } from '../../../engine/statistics/noninferiority-proportions.ts'
import { pairedDifference, pairedDifferenceClustered } from '../../../engine/statistics/paired.ts'
import { permutationTestExact } from '../../../engine/statistics/permutation.ts'
import { pairedProportionDifference, tangoInterval, tangoNoninferiority } from '../../../engine/statistics/tango.ts'
import { twoProportions } from '../../../engine/statistics/two-proportions.ts'
import { unpairedDifference } from '../../../engine/statistics/unpaired.ts'
import { wilcoxonSignedRank } from '../../../engine/statistics/wilcoxon.ts'
import { bounds, labels, numbers, plain, type VectorFunction, vectorFunction } from './vector-function.ts'

const number = z.number()
const pair = z.object({ a: numbers, b: numbers })
const twoGroups = z.object({ k1: number, n1: number, k2: number, n2: number })
const gate = z.object({ diff: number, se: number, margin: number, alpha: number })
const gateCounts = z.object({ k_new: number, n_new: number, k_old: number, n_old: number, margin: number, alpha: number })

/** The rows of this function were made with statsmodels 0.15, whose likelihood equation is wrong; results never use that form. */
const STATSMODELS_NOTE =
  'noninferiority_two_proportions is checked in the form of statsmodels 0.15, which its issue 10269 reports as wrong; the application uses the exact form, which gives other values.'

export const comparisonFunctions: Readonly<Record<string, VectorFunction>> = {
  paired_diff: vectorFunction(pair.extend({ level: number }), ({ a, b, level }) => {
    const found = pairedDifference(a, b, level)
    const intervals = { ci_normal: bounds(found.intervalNormal), ci_t: bounds(found.intervalT) }
    const estimates = { diff: found.difference, se: found.standardError, corr: found.correlation }
    return plain({ ...estimates, ...intervals, t: found.t, p_t: found.pT, p_z: found.pNormal }, found.reason)
  }),
  paired_diff_clustered: vectorFunction(pair.extend({ clusters: labels }), ({ a, b, clusters }) => {
    const found = pairedDifferenceClustered(a, b, clusters)
    return plain({ diff: found.mean, se_miller: found.miller, se_cr1: found.cr1, clusters: found.clusters }, found.reason)
  }),
  unpaired_diff: vectorFunction(pair, ({ a, b }) => {
    const { difference, standardError, p, degreesOfFreedom, reason } = unpairedDifference(a, b)
    return plain({ diff: difference, se: standardError, p_welch: p, df_welch: degreesOfFreedom }, reason)
  }),
  paired_permutation_exact: vectorFunction(z.object({ diffs: numbers }), ({ diffs }) => permutationTestExact(diffs)),
  wilcoxon_signed_rank: vectorFunction(pair, ({ a, b }) => {
    const { w, p, reason } = wilcoxonSignedRank(a, b)
    return plain({ W: w, p }, reason)
  }),
  mcnemar: vectorFunction(z.object({ b_only_A: number, c_only_B: number }), ({ b_only_A: onlyA, c_only_B: onlyB }) => {
    const { pExact, pMid, chiSquaredCorrected, pCorrected, pChiSquared, reason } = mcnemar(onlyA, onlyB)
    return plain({ p_exact: pExact, p_mid: pMid, chi2_cc: chiSquaredCorrected, p_cc: pCorrected, p_chi2: pChiSquared }, reason)
  }),
  two_proportions: vectorFunction(twoGroups, ({ k1, n1, k2, n2 }) => {
    const { interval, zPooled, pPooled, pFisher, reason } = twoProportions(k1, n1, k2, n2)
    return plain({ newcombe_ci: bounds(interval), z_pooled: zPooled, p_pooled: pPooled, p_fisher: pFisher }, reason)
  }),
  p_adjust: vectorFunction(z.object({ p: numbers }), ({ p }) => {
    const adjusted = (method: Parameters<typeof adjustPValues>[1]): number[] => [...adjustPValues(p, method)]
    return plain({
      bonferroni: adjusted('bonferroni'),
      holm: adjusted('holm'),
      hochberg: adjusted('hochberg'),
      bh: adjusted('bh'),
      by: adjusted('by'),
    })
  }),
  holm_reject: vectorFunction(z.object({ p: numbers, alpha: number }), ({ p, alpha }) => plain(holmRejections(p, alpha))),
  noninferiority_paired: vectorFunction(gate, ({ diff, se, margin, alpha }) => {
    const found = noninferiorityPaired(diff, se, margin, alpha)
    const named = {
      z: found.z,
      p_noninferior: found.p,
      lower_95_one_sided: found.lowerBound,
      noninferior: found.noninferior,
      p_tost_equivalence: found.pEquivalence,
      ci90: found.equivalenceInterval,
    }
    return plain(named, found.reason)
  }),
  noninferiority_two_proportions: vectorFunction(gateCounts, inputs => {
    const counts = { successesNew: inputs.k_new, trialsNew: inputs.n_new, successesOld: inputs.k_old, trialsOld: inputs.n_old }
    const found = noninferiorityTwoProportions(counts, inputs.margin, inputs.alpha, 'statsmodels_0_15')
    const named = {
      z_farrington_manning: found.zFarringtonManning,
      p_farrington_manning: found.pFarringtonManning,
      z_miettinen_nurminen: found.zMiettinenNurminen,
      p_miettinen_nurminen: found.pMiettinenNurminen,
      p_wald: found.pWald,
      wald_lower_95_one_sided: found.waldLowerBound,
    }
    return { ...plain(named, found.reason), note: STATSMODELS_NOTE }
  }),
  paired_proportions_tango: vectorFunction(z.object({ b_new_only: number, c_old_only: number, n: number }), inputs => {
    const counts = { onlyNew: inputs.b_new_only, onlyOld: inputs.c_old_only, n: inputs.n }
    const { value, reason } = tangoInterval(counts)
    const named = {
      diff: pairedProportionDifference(counts).value,
      tango_ci95: bounds(value),
      'p_noninferior_margin_0.05': tangoNoninferiority(counts, 0.05).value,
      'p_noninferior_margin_0.1': tangoNoninferiority(counts, 0.1).value,
    }
    return plain(named, reason)
  }),
}
