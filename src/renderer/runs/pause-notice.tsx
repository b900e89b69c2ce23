import { Button } from '@mantine/core'
import type { Run, RunPause } from '../../contract/index.ts'
import { formatDuration, formatTimestamp } from '../../lib/format/time.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { Notice } from '../ui/states/notice.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { pauseStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useNow } from '../ui/values/use-now.ts'
import { useResumeRun } from './run-changes.queries.ts'

const actions: Readonly<Record<RunPause['code'], string>> = {
  endpoint_down: 'Resume now',
  retry_after: 'Skip wait',
  throttled: 'Skip wait',
  internal_error: 'Resume',
}

/** Why a run waits, when Assay tries again by itself, and the button that does not wait for that. */
export function PauseNotice({ run, pause }: { readonly run: Run; readonly pause: RunPause }) {
  const resume = useResumeRun(run.id)
  return (
    <Notice tone={pauseStatuses[pause.code].tone} title={pauseStatuses[pause.code].word}>
      <UntrustedText text={pause.message} layout="prose" />{' '}
      {pause.since === null ? null : (
        <>
          Paused <RelativeTime at={pause.since} />.{' '}
        </>
      )}
      <NextAttempt pause={pause} />
      {pause.gives_up_at === null ? null : <GivesUp at={pause.gives_up_at} waitsFor={pause.waits_for} />}
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

/** Not announced at each second: the notice is, when it appears. */
function NextAttempt({ pause: { code, next_attempt_at: next } }: { readonly pause: RunPause }) {
  const now = useNow(1_000)
  if (code === 'internal_error') return null
  const seconds = next === null ? 0 : Math.ceil((Date.parse(next) - now) / 1000)
  return <span aria-live="off">{seconds > 0 ? `Next attempt in ${seconds} s.` : 'Trying now…'}</span>
}

const endings: Readonly<Record<RunPause['waits_for'], string>> = {
  model: 'The run stops',
  judge: 'The run continues without this judge’s verdicts',
  scorer: 'The run continues without this scorer’s verdicts',
}

function GivesUp({ at, waitsFor }: { readonly at: string; readonly waitsFor: RunPause['waits_for'] }) {
  const now = useNow(1_000)
  const left = formatDuration(Math.max(0, Date.parse(at) - now))
  return (
    <span aria-live="off" title={formatTimestamp(at)}>
      {' '}
      {endings[waitsFor]} in {left} if no call is answered by then.
    </span>
  )
}
