import { Anchor, Progress } from '@mantine/core'
import { Link } from 'react-router'
import type { TuneSearch } from '../../contract/tuning/search.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Money } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import type { Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { sessionStatuses } from './tuning-words.ts'

type Tried = TuneSearch['prompts'][number]

const outcomes: Readonly<Record<Tried['outcome'], Status>> = {
  start: { word: 'Start', tone: 'neutral' },
  kept: { word: 'Kept', tone: 'pass' },
  not_better: { word: 'Not better', tone: 'neutral' },
  unusable: { word: 'Unusable', tone: 'warn' },
}

const columns: readonly Column<Tried>[] = [
  { id: 'number', title: 'Prompt', width: 70, align: 'end', rowHeader: true, cell: ({ number }) => number },
  {
    id: 'outcome',
    title: 'Outcome',
    width: 230,
    cell: ({ outcome, detail, races }) => (
      <>
        <StatusBadge status={races ? { word: 'In the race', tone: 'pass' } : outcomes[outcome]} />
        <div className="quiet small">
          <UntrustedText text={detail} layout="prose" />
        </div>
      </>
    ),
  },
  {
    id: 'training',
    title: 'Training score',
    width: 130,
    align: 'end',
    cell: ({ training, training_run_id: runId }) =>
      training === null || runId === null ? (
        <span className="quiet">–</span>
      ) : (
        <Anchor component={Link} to={`/runs/${runId}`} fz="inherit">
          {formatPercent(training.mean)}, n = {formatCount(training.n)}
        </Anchor>
      ),
  },
  {
    id: 'prompt',
    title: 'Template',
    width: 360,
    grow: true,
    cell: ({ prompt, outcome }) =>
      prompt === null ? (
        <span className="quiet">{outcome === 'start' ? 'Prompt of the call' : '–'}</span>
      ) : (
        <UntrustedText text={prompt.prompt_template.slice(0, 600)} layout="prose" />
      ),
  },
]

/** What a prompt search has tried so far. Training scores choose prompts; only the race measures them. */
export function PromptSearch({ search }: { readonly search: TuneSearch }) {
  const { status, calls, max_calls: most, prompts } = search
  return (
    <Section title="Prompt search" aside={<StatusBadge status={sessionStatuses[status]} />}>
      {status === 'running' ? (
        <Progress value={(100 * calls) / most} size="sm" aria-label={`${formatCount(calls)} of ${formatCount(most)} calls made`} />
      ) : null}
      <KeyValues
        items={{
          Candidate: <UntrustedText text={search.candidate} layout="prose" />,
          Calls: `${formatCount(calls)} of at most ${formatCount(most)}`,
          Charged: <Money microUsd={search.charged_microusd} />,
          Cases: `${formatCount(search.training_cases)} for the search, ${formatCount(search.held_out_cases)} held out for the race`,
          Note: 'Training scores are optimistic: these cases chose the prompts. The race measures them on held-out cases.',
        }}
      />
      <PlainTable label="Prompts tried" columns={columns} rows={prompts} rowId={({ number }) => String(number)} />
    </Section>
  )
}
