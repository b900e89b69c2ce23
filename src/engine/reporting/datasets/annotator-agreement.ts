import type { Agreement } from '../../../contract/datasets/datasets.schemas.ts'
import type { Estimate } from '../../../contract/runs/results.schemas.ts'
import type { z } from 'zod'
import { bootstrapAlpha } from '../../statistics/bootstrap-alpha.ts'
import { cohenKappa, ratingTable } from '../../statistics/kappa.ts'

/** The labels of one example. */
export interface LabeledUnit {
  readonly labels: readonly { readonly annotator: string; readonly value: string | number }[]
}

/** Annotators whose pairs are shown. */
const mostAnnotators = 10
const seed = 20_261_122

/** How far annotators agree beyond chance; null where no two labeled the same example. */
export function annotatorAgreement(units: readonly LabeledUnit[], task: 'answer' | 'classify' | 'pairwise' | 'score'): Agreement | null {
  const shared = units.filter(({ labels }) => labels.length >= 2)
  if (shared.length === 0) return null
  return { alpha: alphaOf(shared, task === 'score'), pairs: task === 'score' ? [] : pairsOf(shared) }
}

function alphaOf(units: readonly LabeledUnit[], isScore: boolean): z.infer<typeof Estimate> {
  const codes = new Map<string | number, number>()
  const codeOf = (value: string | number): number => {
    if (isScore) return Number(value)
    const known = codes.get(value) ?? codes.size
    codes.set(value, known)
    return known
  }
  const ratings = units.map(({ labels }) => labels.map(({ value }) => codeOf(value)))
  const { alpha, pairableUnits, standardError, interval, reason, cautions } = bootstrapAlpha(ratings, isScore ? 'interval' : 'nominal', {
    seed,
  })
  return { n: pairableUnits, mean: alpha, standard_error: standardError, interval, reason, cautions: [...cautions] }
}

function pairsOf(units: readonly LabeledUnit[]): Agreement['pairs'] {
  const counts = new Map<string, number>()
  for (const { labels } of units) for (const { annotator } of labels) counts.set(annotator, (counts.get(annotator) ?? 0) + 1)
  const busiest = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, mostAnnotators)
  const names = busiest.map(([name]) => name).sort()
  return names.flatMap((a, i) => names.slice(i + 1).flatMap(b => pairOf(units, a, b)))
}

/** Nothing for annotators who never labeled the same example. */
function pairOf(units: readonly LabeledUnit[], a: string, b: string): Agreement['pairs'] {
  const both = units.flatMap(({ labels }) => {
    const first = labels.find(({ annotator }) => annotator === a)
    const second = labels.find(({ annotator }) => annotator === b)
    return first && second ? [{ first: String(first.value), second: String(second.value) }] : []
  })
  if (both.length === 0) return []
  const { table } = ratingTable(
    both.map(({ first }) => first),
    both.map(({ second }) => second),
  )
  const { kappa, standardError, interval, reason } = cohenKappa(table)
  return [{ a, b, kappa: { n: both.length, mean: kappa, standard_error: standardError, interval, reason, cautions: [] } }]
}
