import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'
import { GradeRunDialog } from '../evaluators/grade-run-dialog.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Regrades that are looked through for the run's latest one. */
const READ = 20

/** Says that the run's latest regrade failed, and why; one that reached its spending limit can be started again under another. */
export function FailedRegrade({ run }: { readonly run: Run }) {
  const [opened, setOpened] = useState(false)
  const query = useQuery({
    queryKey: ['jobs', 'regrades'],
    // Read again whenever a regrade has ended.
    staleTime: 0,
    queryFn: ({ signal }) => call('listJobs', { query: { kind: 'regrade', limit: READ } }, { signal }),
    enabled: run.regrade === null && run.result_version !== null,
  })
  const latest = query.data?.items.find(({ subject }) => subject?.type === 'run' && subject.id === run.id)
  if (run.regrade !== null || latest?.state !== 'failed' || latest.error === null) return null
  return (
    <>
      <Notice tone="fail" title="Regrade failed">
        <UntrustedText text={latest.error.message} layout="prose" />
        {latest.error.code === 'spending_limit_reached' ? (
          <>
            {' '}
            <Button size="xs" variant="default" onClick={() => setOpened(true)}>
              Grade with another limit…
            </Button>
          </>
        ) : null}
      </Notice>
      {opened ? <GradeRunDialog run={run} opened onClose={() => setOpened(false)} /> : null}
    </>
  )
}
