import { Progress } from '@mantine/core'
import type { Run } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'

/** A regrade in progress. */
export function RegradeProgress({ regrade }: { readonly regrade: NonNullable<Run['regrade']> }) {
  const { graded, samples, result_version: version } = regrade
  return (
    <div className="runs-outcomes">
      <Progress value={samples === 0 ? 0 : (graded / samples) * 100} size={8} aria-label="Regraded answers" />
      <output className="small num">
        Regrading for result version {version}: {formatCount(graded)} of {formatCount(samples)} answers
      </output>
    </div>
  )
}
