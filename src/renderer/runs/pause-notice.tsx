import { Button } from '@mantine/core'
import type { Run, RunPause } from '../../contract/runs/runs.schemas.ts'
import { PauseDescription } from '../app/pause-description.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Notice } from '../ui/states/notice.tsx'
import { pauseStatuses } from '../ui/values/statuses.ts'
import { useResumeRun } from './run-changes.queries.ts'

const actions: Readonly<Record<RunPause['code'], string>> = {
  endpoint_down: 'Resume now',
  retry_after: 'Skip wait',
  throttled: 'Skip wait',
  internal_error: 'Resume',
  paused: 'Resume',
}

const endings: Readonly<Record<RunPause['waits_for'], string>> = {
  model: 'The run stops',
  judge: 'The run continues without this judge’s verdicts',
  scorer: 'The run continues without this scorer’s verdicts',
}

/** Why a run waits, when Assay tries again by itself, and the button that does not wait for that. */
export function PauseNotice({ run, pause }: { readonly run: Run; readonly pause: RunPause }) {
  const resume = useResumeRun(run.id)
  return (
    <Notice tone={pauseStatuses[pause.code].tone} title={pauseStatuses[pause.code].word}>
      <PauseDescription pause={pause} ending={endings[pause.waits_for]} />
      <Button
        size="compact-sm"
        variant="default"
        ml="xs"
        loading={resume.isPending}
        onClick={() => resume.mutate(undefined, { onError: error => notifyFailed('Couldn’t resume the run', error) })}
      >
        {actions[pause.code]}
      </Button>
    </Notice>
  )
}
