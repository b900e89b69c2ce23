import { useMemo } from 'react'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { RunGroupQuote } from '../../contract/run-groups/run-groups.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { describePrice, describeTime } from './plan-sentence.ts'
import { useExpectedTime } from './use-expected-time.ts'

/** What each model would take, and what its runs can tell on each benchmark. */
export function GroupQuoteTable({ quote: { quotes } }: { readonly quote: RunGroupQuote }) {
  const columns = useMemo(() => columnsOf(quotes[0]), [quotes])
  return (
    <Section title="Quote">
      <PlainTable label="Quote by model and benchmark" columns={columns} rows={quotes} rowId={quote => quote.id} />
      <p className="quotes-note">Under each benchmark: the detectable difference between two models, or the check that failed.</p>
    </Section>
  )
}

function columnsOf(first: Quote | undefined): readonly Column<Quote>[] {
  return [
    {
      id: 'model',
      title: 'Model',
      width: 150,
      grow: true,
      rowHeader: true,
      cell: ({ model, compatibility }) => (
        <>
          <UntrustedText text={model.title} layout="prose" />
          <Failed checks={compatibility.checks.filter(({ status, profile_id }) => status === 'fail' && profile_id === null)} />
        </>
      ),
    },
    ...(first?.profiles ?? []).map(
      (profile): Column<Quote> => ({
        id: profile.profile_id,
        title: showHidden(profileName(profile)),
        width: 120,
        align: 'end',
        cell: quote => <ProfileCell quote={quote} profileId={profile.profile_id} />,
      }),
    ),
    { id: 'calls', title: 'Calls', width: 64, align: 'end', cell: quote => formatCount(quote.counts.model_calls) },
    { id: 'time', title: 'Time', width: 110, align: 'end', cell: quote => <Time quote={quote} /> },
    { id: 'cost', title: 'Cost', width: 110, align: 'end', cell: describePrice },
  ]
}

function ProfileCell({ quote, profileId }: { readonly quote: Quote; readonly profileId: string }) {
  const failed = quote.compatibility.checks.filter(check => check.status === 'fail' && check.profile_id === profileId)
  if (failed.length > 0) return <Failed checks={failed} />
  const difference = quote.statistics.find(line => line.profile_id === profileId)?.minimum_detectable_difference ?? null
  return difference === null ? 'too few tasks' : `${formatNumber(difference * 100, 1)} points`
}

function Failed({ checks }: { readonly checks: Quote['compatibility']['checks'] }) {
  return checks.map(({ check, detail }) => (
    <div key={check}>
      <StatusBadge status={{ word: 'Cannot run', tone: 'fail' }} />
      <div className="small">{detail}</div>
    </div>
  ))
}

function Time({ quote }: { readonly quote: Quote }) {
  const { time, known } = useExpectedTime(quote)
  return known ? describeTime(time) : '…'
}
