import type { SampleStatus } from '../../contract/runs/run.machine.ts'
import type { SampleScore } from '../../contract/runs/samples.schemas.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { sampleStatuses, scoreClasses } from '../ui/values/statuses.ts'

/** What the primary metric said of a scored sample; the state of a sample without a score. */
export function Verdict({ status, score }: { readonly status: SampleStatus; readonly score: Pick<SampleScore, 'class'> | undefined }) {
  return <StatusBadge status={status === 'scored' && score ? scoreClasses[score.class] : sampleStatuses[status]} />
}
