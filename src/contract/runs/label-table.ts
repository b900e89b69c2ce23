import { isBiasedScore, type LabelShare, type Results } from './results.schemas.ts'

interface LabelRow {
  /** Null: all samples of the profile. */
  readonly group: { readonly dimension: string; readonly value: string } | null
  /** Tasks with a label. */
  readonly n: number
  readonly withoutLabel: number
  /** In the order of the table's labels. */
  readonly shares: readonly LabelShare[]
}

export interface LabelTable {
  readonly profileId: string
  readonly metric: string
  readonly labels: readonly string[]
  readonly rows: readonly LabelRow[]
}

/** Label shares as tables of groups by labels, one per metric; none of tasks that were chosen by the model's own results. */
export function labelTables(results: Pick<Results, 'label_shares' | 'notices'>): LabelTable[] {
  const shown = (results.label_shares ?? []).filter(({ profile_id: id }) => !isBiasedScore(results, id))
  return [...Map.groupBy(shown, ({ profile_id, metric }) => JSON.stringify([profile_id, metric])).values()].flatMap(of => {
    const [first] = of
    if (!first) return []
    const rows = [...Map.groupBy(of, ({ dimension, value }) => JSON.stringify([dimension, value])).values()].flatMap(shares => {
      const [one] = shares
      if (!one) return []
      const { dimension, value, without_label: withoutLabel, estimate } = one
      return [{ group: dimension === null || value === null ? null : { dimension, value }, n: estimate.n, withoutLabel, shares }]
    })
    return [{ profileId: first.profile_id, metric: first.metric, labels: rows[0]?.shares.map(({ label }) => label) ?? [], rows }]
  })
}
