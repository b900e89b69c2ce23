import { formatCount } from '../../../lib/format/numbers.ts'

/** Instead of a score over tasks that were chosen by the same model’s results. */
export function BiasedScore({ n }: { readonly n: number }) {
  return (
    <span
      className="quiet"
      title="The tasks were chosen by this model’s own past results, so a score on them is no estimate of how good it is."
    >
      Biased selection, no score (n = {formatCount(n)})
    </span>
  )
}
