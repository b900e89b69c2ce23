import { Button } from '@mantine/core'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { IconAlertTriangle } from '../ui/pictures/icons.tsx'
import { Notice } from '../ui/states/notice.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useNow } from '../ui/values/use-now.ts'
import { useStart } from './tuning-groups.queries.ts'
import { confidenceText, marginText } from './tuning-words.ts'

type Arm = TuneQuote['arms'][number]

const columns: readonly Column<Arm>[] = [
  { id: 'label', title: 'Arm', width: 140, rowHeader: true, cell: ({ label }) => <UntrustedText text={label} layout="prose" /> },
  { id: 'model', title: 'Model', width: 150, grow: true, cell: ({ model }) => <UntrustedText text={model.title} layout="prose" /> },
  { id: 'effort', title: 'Effort', width: 90, cell: ({ effort }) => effort ?? <span className="quiet">default</span> },
  {
    id: 'prompt',
    title: 'Prompt',
    width: 100,
    cell: ({ prompt }) => (prompt === null ? <span className="quiet">of the call</span> : 'its own'),
  },
  { id: 'calls', title: 'Calls', width: 80, align: 'end', cell: arm => formatCount('counts' in arm ? arm.counts.model_calls : arm.tasks) },
  {
    id: 'charge',
    title: 'Wallet',
    width: 120,
    align: 'end',
    cell: arm =>
      'cost' in arm ? (
        <Estimated estimate={arm.cost.estimated_charge_microusd} most={arm.cost.upper_bound_microusd} />
      ) : (
        `up to ${formatDuration(arm.time_bound_ms)}`
      ),
  },
  {
    id: 'bill',
    title: 'Provider cost',
    width: 120,
    align: 'end',
    cell: arm =>
      'cost' in arm ? (
        <Estimated estimate={arm.cost.provider_billed_estimate_microusd} most={arm.cost.provider_billed_upper_bound_microusd} />
      ) : (
        <Money microUsd={null} />
      ),
  },
  {
    id: 'checks',
    title: 'Checks',
    width: 120,
    cell: ({ compatibility: { status } }) => (
      <StatusBadge status={status === 'compatible' ? { word: 'Compatible', tone: 'pass' } : { word: 'Incompatible', tone: 'fail' }} />
    ),
  },
]

function Estimated({ estimate, most }: { readonly estimate: string | null; readonly most: string | null }) {
  if (estimate === null || most === null) return <Money microUsd={estimate} />
  return (
    <>
      <Money microUsd={estimate} />
      {BigInt(most) === 0n ? null : (
        <div className="quiet small">
          at most <Money microUsd={most} />
        </div>
      )}
    </>
  )
}

/** The quote as one signs it: what is run, what it costs at most, and what it can tell. */
export function QuoteView({ session, quote }: { readonly session: TuneSession; readonly quote: TuneQuote }) {
  const now = useNow(1000)
  const { detectable_margin: detectable } = quote
  const failed = quote.arms.flatMap(({ label, compatibility: { checks } }) =>
    checks
      .filter(({ status }) => status === 'fail')
      .map(({ check, detail }) => ({ key: `${label} ${check} ${detail}`, text: `${label}: ${detail}` })),
  )
  const expired = quote.status === 'expired' || Date.parse(quote.expires_at) <= now
  return (
    <div className="stack">
      <KeyValues
        items={{
          Cases: formatCount(quote.cases),
          'Prompt search': quote.optimize ? <PlannedSearch planned={quote.optimize} /> : null,
          Mode: modeText(quote),
          'Acceptable loss': `${marginText(quote.margin)} at ${confidenceText(1 - quote.alpha)} confidence`,
          'Detectable difference': `${marginText(detectable.value)} with ${confidenceText(detectable.discordant)} of cases differing (${detectable.basis === 'history' ? 'from earlier groups' : 'assumed'})`,
          'Estimated charge': quote.kind === 'model' ? <Money microUsd={quote.estimated_charge_microusd} /> : null,
          'Charge at most': quote.kind === 'model' ? <Money microUsd={quote.upper_bound_microusd} /> : null,
          'Estimated provider cost': <Money microUsd={quote.kind === 'model' ? quote.provider_billed_estimate_microusd : null} />,
          'Spending limit': <Money microUsd={quote.max_charge_microusd} />,
          'Provider spending limit':
            quote.max_provider_billed_microusd === null ? null : <Money microUsd={quote.max_provider_billed_microusd} />,
          Expires: <RelativeTime at={quote.expires_at} />,
        }}
      />
      {detectable.value > quote.margin ? (
        <Notice tone="warn" title="Few cases">
          A candidate that is as good as the current call has less than an 80 % chance to be accepted with {formatCount(quote.cases)} cases.
        </Notice>
      ) : null}
      {quote.exploratory ? (
        <Notice tone="warn" title="Exploratory">
          All planned groups have run on these cases, so the error rate of this one is not controlled.
        </Notice>
      ) : null}
      {quote.warnings.length > 0 ? (
        <ul className="quotes-warnings" aria-label="Warnings">
          {quote.warnings.map(({ code, message }) => (
            <li key={`${code} ${message}`} title={code}>
              <IconAlertTriangle size={16} aria-hidden />
              <UntrustedText text={message} layout="prose" />
            </li>
          ))}
        </ul>
      ) : null}
      <PlainTable label="Arms of the quote" columns={columns} rows={quote.arms} rowId={({ label }) => label} />
      {failed.length > 0 ? (
        <Notice tone="fail" title="This quote cannot be started">
          <ul className="tuning-list">
            {failed.map(({ key, text }) => (
              <li key={key}>
                <UntrustedText text={text} layout="prose" />
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <StartQuote session={session} quote={quote} expired={expired} />
    </div>
  )
}

function PlannedSearch({ planned }: { readonly planned: NonNullable<TuneQuote['optimize']> }) {
  return (
    <>
      At most {formatCount(planned.max_calls)} calls on {formatCount(planned.training_cases)} other cases. Estimated charge{' '}
      <Money microUsd={planned.estimated_charge_microusd} />, at most half of the limit; provider cost{' '}
      {planned.provider_billed_estimate_microusd === null ? 'unknown' : <Money microUsd={planned.provider_billed_estimate_microusd} />}.
    </>
  )
}

/** Whether a provider may bill anything beside the wallet. */
function mayBill({ arms }: TuneQuote): boolean {
  return arms.some(arm => !('cost' in arm) || arm.cost.provider_billed_upper_bound_microusd !== '0')
}

function modeText({ mode, looks }: TuneQuote): string {
  return mode === 'race' && looks.length > 1
    ? `race, looks after ${looks.map(formatCount).join(', ')} cases`
    : `${mode}, one look at the end`
}

/** What pressing the button may cost; providers bill connections beside the wallet. */
function startText(quote: TuneQuote): string {
  const billed = quote.max_provider_billed_microusd
  const bill = quote.kind === 'model' ? quote.provider_billed_estimate_microusd : null
  if (BigInt(quote.max_charge_microusd) > 0n || !mayBill(quote)) return `Start, charging at most ${formatUsd(quote.max_charge_microusd)}`
  if (billed !== null) return `Start, billed at most ${formatUsd(billed)} by providers`
  return bill === null ? 'Start, billed by providers' : `Start, billed about ${formatUsd(bill)} by providers`
}

interface StartProps {
  readonly session: TuneSession
  readonly quote: TuneQuote
  readonly expired: boolean
}

function StartQuote({ session, quote, expired }: StartProps) {
  const start = useStart(session.id, quote.id)
  if (quote.compatibility === 'incompatible') return null
  if (expired)
    return (
      <Notice tone="warn" title="Quote expired">
        Get a new one below; the candidates are kept.
      </Notice>
    )
  return (
    <>
      {quote.max_provider_billed_microusd === null && mayBill(quote) ? (
        <p className="quotes-note">
          The charge is what the wallet pays. Providers of connections bill their keys without a spending limit.
        </p>
      ) : null}
      {start.isError ? <FailureMessage title="Couldn’t start the session" error={start.error} /> : null}
      <div className="row">
        <Button loading={start.isPending} onClick={() => start.mutate()}>
          {startText(quote)}
        </Button>
      </div>
    </>
  )
}
