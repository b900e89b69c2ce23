import { Button, Modal } from '@mantine/core'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { ServiceError } from '../../contract/client.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { profileNames } from '../quotes/profile-name.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { type MetricDraft, metricDrafts, type MetricErrors, refusedMetrics, toRegrade } from './regrade-form.ts'
import { useRegradeRun } from './run-changes.queries.ts'

// Its fields for the options of every scorer are loaded with the first dialog, and not with every result.
const RegradeMetric = lazy(() => import('./regrade-metric.tsx'))

interface RegradeDialogProps {
  readonly run: Run
  readonly opened: boolean
  /** Whether it opens on another grader of the primary metric. */
  readonly changing?: boolean
  readonly onClose: () => void
}

/** Grades the stored answers again: with the current version of every scorer, or with other ones on request. */
export function RegradeDialog({ run, opened, changing = false, onClose }: RegradeDialogProps) {
  const [drafts, setDrafts] = useState(() => metricDrafts(run, changing))
  const [errors, setErrors] = useState<MetricErrors>({})
  const regrade = useRegradeRun(run.id)
  const nameOf = profileNames(run.profiles)
  const change = (index: number, part: Partial<MetricDraft>): void => {
    setErrors({})
    setDrafts(before => before.map((draft, place) => (place === index ? { ...draft, ...part } : draft)))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const wanted = toRegrade(drafts)
    if ('errors' in wanted) return setErrors(wanted.errors)
    regrade.mutate(wanted.body, {
      onSuccess: onClose,
      onError: error => setErrors(error instanceof ServiceError ? refusedMetrics(error, drafts) : {}),
    })
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Regrade stored answers" size="lg">
      <form className="stack" onSubmit={submit}>
        <div>
          No model calls are made: the answers of {formatCount(run.progress.frozen)} samples are graded by the current version of each
          scorer. The scores make version {(run.result_version ?? 0) + 1} of the result; earlier versions stay as they are.
        </div>
        <Suspense fallback={<LinesSkeleton />}>
          {drafts.map((draft, index) => (
            <RegradeMetric
              key={`${draft.profileId} ${draft.metric.id}`}
              draft={draft}
              profile={run.profiles.length > 1 ? showHidden(nameOf(draft.profileId)) : null}
              errors={errors[index]}
              onChange={part => change(index, part)}
            />
          ))}
        </Suspense>
        {regrade.isError && Object.keys(errors).length === 0 ? <ErrorState error={regrade.error} title="Couldn’t regrade the run" /> : null}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={regrade.isPending}>
            Regrade
          </Button>
        </DialogActions>
      </form>
    </Modal>
  )
}
