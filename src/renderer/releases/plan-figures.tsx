import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { describePrice, describeTime } from '../quotes/plan-sentence.ts'
import { useBenchmarkDetails } from '../quotes/quotes.queries.ts'
import { useExpectedTime } from '../quotes/use-expected-time.ts'
import { runQuery } from '../runs/runs.queries.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { Notice } from '../ui/states/notice.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { modelOf } from '../quotes/model-value.ts'
import { planPreviewQuery, useReleaseSuites } from './releases.queries.ts'
import { ruleTitles } from './releases-words.ts'
import { runOfSide } from './side-runs.ts'
import { groupKey, type SuiteDraft } from './suite-choice.tsx'

interface PlanFiguresProps {
  readonly suite: SuiteDraft
  readonly rules: readonly ReleaseRule[]
  readonly confidence: number
  readonly repeat: 'record' | 'spend' | 'refuse'
  readonly candidate: string | null
  readonly baseline: string | null
}

interface Part {
  readonly key: string
  readonly title: string
  readonly tasks: number
  readonly profileId: string
}

/** What a plan can find out and what it takes, before anything is frozen. */
export function PlanFigures({ suite, rules, confidence, repeat, candidate, baseline }: PlanFiguresProps) {
  const suites = useReleaseSuites()
  const slugs = suite.groups.flatMap(({ slug }) => (suite.way !== 'benchmark' || slug === null ? [] : [slug]))
  const parts = partsOf(suite, useBenchmarkDetails(slugs))
  const runId = runOfSide(candidate) ?? runOfSide(baseline)
  const run = useQuery({ ...runQuery(runId ?? ''), enabled: suite.way === 'run' && runId !== null }).data
  const saved = suites.data?.find(({ id }) => suite.way === 'suite' && id === suite.suiteId)
  const ofRun = suite.way === 'run' && run ? [{ key: 'all', tasks: run.profiles[0]?.tasks_selected ?? 0 }] : null
  const groups = (ofRun ?? saved?.groups ?? parts).map(({ key, tasks }) => ({ key, tasks }))
  const known = (rule: ReleaseRule) => rule.group === null || groups.some(({ key }) => key === rule.group)
  const [asked] = useDebouncedValue(JSON.stringify({ groups, rules: rules.filter(known), confidence, repeat }), 300)
  const preview = useQuery(planPreviewQuery(groups.length === 0 || rules.length === 0 ? null : asked))
  if (groups.length === 0) return <p className="quiet">Choose a suite to see what it can detect, and what it takes.</p>
  return (
    <>
      <QueryView query={preview} failure="Couldn’t estimate the plan">
        {({ tasks, detectable, cautions }) => (
          <>
            <p style={{ margin: 0 }} className="num">
              {formatCount(tasks)} tasks{candidate !== null && baseline !== null ? ` × 2 models = ${formatCount(2 * tasks)} samples` : ''}
            </p>
            {detectable.length > 0 ? (
              <ul className="releases-sentences" aria-label="What these tasks can detect">
                {detectable.map(({ rule: key, margin }) => (
                  <li key={key}>
                    {describeMargin(
                      rules.find(rule => rule.key === key),
                      margin,
                      tasks,
                    )}
                  </li>
                ))}
              </ul>
            ) : null}
            {cautions.length > 0 ? (
              <Notice tone="warn" title="Some rules cannot pass">
                {cautions.join(' ')}
              </Notice>
            ) : null}
          </>
        )}
      </QueryView>
      {parts.length > 0 ? <Prices parts={parts} candidate={candidate} baseline={baseline} /> : null}
    </>
  )
}

/** Groups whose benchmark has been read, with as many tasks as are taken. */
function partsOf(suite: SuiteDraft, details: readonly BenchmarkDetail[]): Part[] {
  if (suite.way !== 'benchmark') return []
  return suite.groups.flatMap((group, i) => {
    const benchmark = details.find(({ slug }) => slug === group.slug)
    const latest = benchmark?.versions[0]
    const available = latest?.task_counts['test'] ?? 0
    const ready = benchmark?.profiles.find(
      ({ source_ref: ref, quote_availability: { status } }) => ref === latest?.source_ref && status === 'ready_for_quote',
    )
    const profileId = group.profileId ?? ready?.id
    if (!benchmark || profileId === undefined || available === 0) return []
    return [{ key: groupKey(suite, i), title: benchmark.title, tasks: Math.min(group.tasks ?? available, available), profileId }]
  })
}

function describeMargin(rule: ReleaseRule | undefined, margin: number | null, tasks: number): string {
  if (!rule) return ''
  const what = `${ruleTitles[rule.kind]}${rule.group === null ? '' : ` (${rule.group})`}`
  if (margin === null) return `${what}: too few tasks to detect any difference.`
  const asked = rule.kind === 'non_inferiority' ? rule.margin : null
  const points = `${formatNumber(margin * 100, 1)} points`
  if (asked === null || asked >= margin) return `${what}: detectable difference ${points}.`
  const needed = Math.ceil(tasks * (margin / asked) ** 2)
  return `${what}: detectable difference ${points}, so a candidate as good as the baseline may stay inconclusive; about ${formatCount(needed)} tasks detect ${formatNumber(asked * 100, 1)} points.`
}

interface Priced {
  readonly id: string
  readonly side: string
  readonly part: Part
  readonly quote: Quote | undefined
  readonly error: Error | null
}

const columns: readonly Column<Priced>[] = [
  { id: 'side', title: 'Side', width: 110, rowHeader: true, cell: ({ side }) => side },
  { id: 'group', title: 'Benchmark', width: 220, grow: true, cell: ({ part }) => <UntrustedText text={part.title} layout="prose" /> },
  {
    id: 'calls',
    title: 'Calls',
    width: 90,
    align: 'end',
    cell: ({ quote, error }) => (quote ? formatCount(quote.counts.model_calls) : error ? <span title={error.message}>Unknown</span> : '…'),
  },
  { id: 'time', title: 'Time', width: 130, align: 'end', cell: ({ quote }) => (quote ? <QuotedTime quote={quote} /> : '…') },
  { id: 'price', title: 'Price', width: 120, align: 'end', cell: ({ quote }) => (quote ? describePrice(quote) : '…') },
]

function QuotedTime({ quote }: { readonly quote: Quote }) {
  return describeTime(useExpectedTime(quote).time)
}

/** Calls, time and money by the same quotes as those of runs. */
function Prices({ parts, candidate, baseline }: { readonly parts: readonly Part[] } & Pick<PlanFiguresProps, 'candidate' | 'baseline'>) {
  const sides = [
    { side: 'Candidate', model: candidate },
    { side: 'Baseline', model: baseline },
  ]
  const asked = sides.flatMap(({ side, model }) =>
    model === null || runOfSide(model) !== null ? [] : parts.map(part => ({ side, model, part })),
  )
  const [settled] = useDebouncedValue(asked, 400)
  const quotes = useQueries({
    queries: settled.map(({ model, part: { profileId, tasks } }) => ({
      queryKey: ['quotes', 'plan', model, profileId, tasks],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(
          'createQuote',
          {
            body: {
              model: modelOf(model),
              selection: { profile_ids: [profileId] },
              coverage: { mode: 'sample' as const, sample_count: tasks, seed: 1 },
              max_charge_microusd: '1000000000',
            },
            headers: { 'idempotency-key': crypto.randomUUID() },
          },
          { signal },
        ),
      retry: false,
      staleTime: 25 * 60_000,
      placeholderData: keepPreviousData,
    })),
  })
  if (settled.length === 0) return null
  const rows = settled.map(({ side, part }, i): Priced => {
    const query = quotes[i]
    return { id: `${side} ${part.key}`, side, part, quote: query?.data, error: query?.error ?? null }
  })
  return <PlainTable label="Calls, time and price" columns={columns} rows={rows} rowId={({ id }) => id} />
}
