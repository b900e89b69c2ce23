import { Progress } from '@mantine/core'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { JobPause } from '../app/pause-description.tsx'

/** A regrade in progress. */
export function RegradeProgress({ regrade }: { readonly regrade: NonNullable<Run['regrade']> }) {
  const { graded, samples, result_version: version, job_id: jobId } = regrade
  return (
    <div className="runs-outcomes">
      <Progress value={samples === 0 ? 0 : (graded / samples) * 100} size={8} aria-label="Regraded answers" />
      <output className="small num">
        Regrading for result version {version}: {formatCount(graded)} of {formatCount(samples)} answers
      </output>
      <JobPause jobId={jobId} />
    </div>
  )
}
