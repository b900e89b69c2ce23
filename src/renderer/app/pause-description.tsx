import type { RunPause } from '../../contract/runs/runs.schemas.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Notice } from '../ui/states/notice.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { formatLocalTime } from '../ui/values/local-time.ts'
import { pauseStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useNow } from '../ui/values/use-now.ts'
import { useJob } from './background-jobs.queries.ts'

/** What work waits for, since when, and when it is tried again and given up. @param ending what happens then */
export function PauseDescription({ pause, ending }: { readonly pause: RunPause; readonly ending: string }) {
  return (
    <>
      <UntrustedText text={pause.message} layout="prose" />{' '}
      {pause.since === null ? null : (
        <>
          Paused <RelativeTime at={pause.since} />.{' '}
        </>
      )}
      <NextAttempt pause={pause} />
      {pause.gives_up_at === null ? null : <GivesUp at={pause.gives_up_at} ending={ending} />}
    </>
  )
}

/** What the job of a record waits for, where the record is shown; null for none. */
export function JobPause({ jobId }: { readonly jobId: string | null }) {
  const pause = useJob(jobId).data?.pause
  return pause ? (
    <Notice tone={pauseStatuses[pause.code].tone} title={pauseStatuses[pause.code].word}>
      <PauseDescription pause={pause} ending="The job stops" />
    </Notice>
  ) : null
}

/** Not announced at each second: the notice is, when it appears. */
function NextAttempt({ pause: { code, next_attempt_at: next } }: { readonly pause: RunPause }) {
  const now = useNow(1_000)
  if (code === 'internal_error' || code === 'paused') return null
  const seconds = next === null ? 0 : Math.ceil((Date.parse(next) - now) / 1000)
  return <span aria-live="off">{seconds > 0 ? `Next attempt in ${seconds} s.` : 'Trying now…'}</span>
}

function GivesUp({ at, ending }: { readonly at: string; readonly ending: string }) {
  const now = useNow(1_000)
  const left = formatDuration(Math.max(0, Date.parse(at) - now))
  return (
    <span aria-live="off" title={formatLocalTime(at)}>
      {' '}
      {ending} in {left} if no call is answered by then.
    </span>
  )
}
