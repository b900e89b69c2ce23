import { Fragment } from 'react'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Attempt } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import type { Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { RawBody } from './raw-body.tsx'

const statuses: Readonly<Record<Attempt['status'], Status>> = {
  started: { word: 'Calling', tone: 'running' },
  answered: { word: 'Answered', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
  unknown: { word: 'Not known', tone: 'warn' },
}

/** Every try at the model call, as it went over the wire. The last one is open. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="quiet samples-note">No model call was made.</p>
  return attempts.map(attempt => <OneAttempt key={attempt.number} attempt={attempt} open={attempt.number === attempts.length} />)
}

function OneAttempt({ attempt, open }: { readonly attempt: Attempt; readonly open: boolean }) {
  return (
    <details className="samples-attempt" open={open}>
      <summary>
        <span>Attempt {attempt.number}</span>
        <StatusBadge status={statuses[attempt.status]} />
        {attempt.error ? <span>{failureLabel(attempt.error.code)}</span> : null}
        <span className="num quiet">{formatDuration(attempt.latency_ms)}</span>
      </summary>
      <KeyValues
        items={{
          Error: attempt.error ? <UntrustedText text={attempt.error.message} layout="prose" /> : null,
          'Not known': attempt.status === 'unknown' ? 'In flight when the service was stopped; the provider may have billed it.' : null,
          'HTTP status': attempt.http_status,
          Started: <RelativeTime at={attempt.started_at} />,
          Latency: formatDuration(attempt.latency_ms),
          Tokens: tokens(attempt),
          Charged: <Money microUsd={attempt.charged_microusd} />,
          'Provider cost': bill(attempt.provider_billed_microusd),
          Cache: attempt.cached ? 'From the cache; times and cost are those of the original answer.' : null,
        }}
      />
      {attempt.notes.length > 0 ? (
        <ul className="samples-choices">
          {attempt.notes.map(note => (
            <li key={note.message}>
              <UntrustedText text={note.message} layout="prose" />
            </li>
          ))}
        </ul>
      ) : null}
      {attempt.earlier_calls.map((call, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- calls have no identity but their place
        <Fragment key={place}>
          <RawBody title={`Request ${place + 1}`} body={call.request} />
          <RawBody title={`Response ${place + 1}`} body={call.response} />
        </Fragment>
      ))}
      <RawBody title="Request" body={attempt.request} />
      <RawBody title="Response" body={attempt.response} />
    </details>
  )
}

function part(count: number | null, name: string): string {
  return count === null ? '' : ` (${formatCount(count)} ${name})`
}

function tokens({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: cachedInput,
  cache_write_tokens: cacheWrite,
  reasoning_tokens: thought,
  tokens_source: source,
}: Attempt): string | null {
  if (input === null && output === null) return null
  const counted = source === 'tokenizer' ? ', counted by Assay’s tokenizer' : source === 'provider' ? ', counted by the provider' : ''
  const [cached, written, reasoning] = [part(cachedInput, 'cached'), part(cacheWrite, 'written to cache'), part(thought, 'reasoning')]
  return `${input === null ? '–' : formatCount(input)} in${cached}${written}, ${output === null ? '–' : formatCount(output)} out${reasoning}${counted}`
}

/** Nothing where there is nothing to bill, or where the connection states no rates. */
function bill(microUsd: string | null) {
  return microUsd === null || microUsd === '0' ? null : <Money microUsd={microUsd} />
}
