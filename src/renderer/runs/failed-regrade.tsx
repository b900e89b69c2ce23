import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'
import { GradeRunDialog } from '../evaluators/grade-run-dialog.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** The failure of a run's regrade that was dismissed, by its job, as this device keeps it. */
const placeOf = (runId: string) => `assay.dismissed-regrade.${runId}`

/**
 * Says that the run's latest regrade failed, and why, until that is dismissed; one that reached its spending limit can be started again
 * under another.
 */
export function FailedRegrade({ run }: { readonly run: Run }) {
  const [opened, setOpened] = useState(false)
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(placeOf(run.id)))
  const query = useQuery({
    queryKey: ['jobs', 'regrades', run.id],
    // Read again whenever a regrade has ended.
    staleTime: 0,
    queryFn: ({ signal }) => call('listJobs', { query: { kind: 'regrade', subject_id: run.id, limit: 1 } }, { signal }),
    enabled: run.regrade === null && run.result_version !== null,
  })
  const latest = query.data?.items[0]
  if (run.regrade !== null || latest?.state !== 'failed' || latest.error === null || latest.id === dismissed) return null
  const dismiss = (): void => {
    localStorage.setItem(placeOf(run.id), latest.id)
    setDismissed(latest.id)
  }
  return (
    <>
      <Notice tone="fail" title="Regrade failed">
        <UntrustedText text={latest.error.message} layout="prose" />
        <span className="row">
          {latest.error.code === 'spending_limit_reached' ? (
            <Button size="xs" variant="default" onClick={() => setOpened(true)}>
              Grade again…
            </Button>
          ) : null}
          <Button size="xs" variant="subtle" onClick={dismiss}>
            Dismiss
          </Button>
        </span>
      </Notice>
      {opened ? <GradeRunDialog run={run} first={latest.evaluator_version_id} opened onClose={() => setOpened(false)} /> : null}
    </>
  )
}
