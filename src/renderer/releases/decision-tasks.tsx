import { Anchor, Button, SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { type DecisionTask, decisionTaskChanges } from '../../contract/releases/decision-tasks.schemas.ts'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { targetText } from '../../lib/target-text.ts'
import { allItems } from '../api/pages.ts'
import { taskChangeWords } from '../comparisons/compare-words.ts'
import { scoreText } from '../samples/samples-columns.tsx'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useDecisionTasks } from './releases.queries.ts'

/** Tasks that the candidate wins or loses against the baseline, with both answers, and the way to run them again. */
export function DecisionTasks({ decision }: { readonly decision: Decision }) {
  const navigate = useNavigate()
  const { get, set } = useAddress()
  const groups = pairedGroups(decision)
  const change = oneOf(get('change'), decisionTaskChanges)
  const group = oneOf(get('group'), groups)
  const query = useDecisionTasks(decision.id, `${decision.status} ${decision.look}`, { change, group }, groups.length > 0)
  const rows = useMemo(() => allItems(query.data), [query.data])
  const columns = groups.length > 1 ? columnsOfGroups : columnsOfOne
  if (groups.length === 0) return null
  const counts = query.data?.pages[0]?.counts
  const { gained, lost } = counts ?? { gained: 0, lost: 0 }
  const shown = change === 'lost' ? lost : change === 'gained' ? gained : gained + lost
  const words = (name: string, n: number): string => (counts ? `${name} (${formatCount(n)})` : name)
  return (
    <Section
      title="Gains and losses"
      aside={<RequestMenu operation="listDecisionTasks" request={{ params: { decision_id: decision.id }, query: { change, group } }} />}
    >
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load the gains and losses" onRetry={() => void query.refetch()} />
      ) : (
        <>
          {counts ? (
            <p className="quiet num" style={{ margin: 0 }}>
              Of {formatCount(counts.compared)} tasks with both scores, the candidate gains {formatCount(gained)} and loses{' '}
              {formatCount(lost)}.
            </p>
          ) : null}
          <div className="releases-tasks" style={{ height: heightOf(shown, counts !== undefined) }}>
            <DataTable<DecisionTask>
              id="decision-tasks"
              label="Gains and losses"
              columns={columns}
              rows={rows}
              rowId={({ position }) => String(position)}
              loading={query.isPending}
              narrowed={change !== undefined || group !== undefined}
              onOpen={({ candidate }) => void navigate(`/runs/${candidate.run_id}/samples?open=${candidate.sample_id}`)}
              more={query}
              toolbar={
                <>
                  <SegmentedControl
                    aria-label="Change"
                    size="xs"
                    data={[
                      { value: '', label: words('Both', gained + lost) },
                      { value: 'lost', label: words('Losses', lost) },
                      { value: 'gained', label: words('Gains', gained) },
                    ]}
                    value={change ?? ''}
                    onChange={value => set({ change: value })}
                  />
                  {groups.length > 1 ? (
                    <SelectFilter label="Group" name="group" options={groups.map(value => ({ value, label: showHidden(value) }))} />
                  ) : null}
                  {shown > 0 ? (
                    <Button
                      size="xs"
                      variant="default"
                      component={Link}
                      to={`/releases/${decision.id}/run?${new URLSearchParams({ ...(change && { change }), ...(group && { group }) }).toString()}`}
                    >
                      {shown === 1 ? 'Run on this one' : `Run on these ${formatCount(shown)}`}
                    </Button>
                  ) : null}
                </>
              }
              empty={<EmptyState title={emptyTitles[change ?? 'both']} />}
            />
          </div>
        </>
      )}
    </Section>
  )
}

/** Pixels: as much as the rows take, and no more than half a page. */
function heightOf(rows: number, isCounted: boolean): number {
  if (!isCounted) return 240
  return rows === 0 ? 200 : Math.min(420, 96 + 32 * rows)
}

const emptyTitles = {
  both: 'Both sides score every task alike',
  lost: 'The candidate loses no task',
  gained: 'The candidate gains no task',
} as const

/** Groups whose sides were both analyzed. */
function pairedGroups({ evaluations }: Decision): string[] {
  const read = evaluations.filter(({ purpose, result_version: version }) => purpose === 'main' && version !== null)
  const of = (side: 'candidate' | 'baseline') => new Set(read.filter(one => one.side === side).map(one => one.group))
  const baseline = of('baseline')
  return [...of('candidate')].filter(group => baseline.has(group))
}

function columnsOf(severalGroups: boolean): readonly Column<DecisionTask>[] {
  return [
    { id: 'task', title: 'Task', width: 104, rowHeader: true, cell: task => <UntrustedText text={task.task_id} layout="ends" /> },
    ...(severalGroups
      ? [{ id: 'group', title: 'Group', width: 96, cell: ({ group }: DecisionTask) => <UntrustedText text={group} layout="inline" /> }]
      : []),
    { id: 'change', title: 'Change', width: 96, cell: ({ change }) => <StatusBadge status={taskChangeWords[change]} /> },
    { id: 'preview', title: 'Begins with', width: 240, grow: true, cell: task => <UntrustedText text={task.preview} layout="inline" /> },
    {
      id: 'target',
      title: 'Target',
      width: 110,
      cell: ({ target, target_choice }) =>
        target === null ? <span className="quiet">none</span> : <UntrustedText text={targetText(target, target_choice)} layout="inline" />,
    },
    { id: 'candidate', title: 'Candidate', width: 160, cell: task => <Answer name="candidate" task={task} /> },
    { id: 'baseline', title: 'Baseline', width: 160, cell: task => <Answer name="baseline" task={task} /> },
  ]
}

const [columnsOfGroups, columnsOfOne] = [columnsOf(true), columnsOf(false)]

/** A side's answer, which opens its sample; a score between 0 and 1 stands before it. */
function Answer({ name, task }: { readonly name: 'candidate' | 'baseline'; readonly task: DecisionTask }) {
  const { run_id: run, sample_id: sample, value, answer } = task[name]
  return (
    <Anchor component={Link} to={`/runs/${run}/samples?open=${sample}`} fz="inherit" onClick={event => event.stopPropagation()}>
      {Number.isInteger(value) ? '' : `${scoreText(value)} · `}
      {answer === null || answer === '' ? 'no answer' : <UntrustedText text={answer} layout="inline" />}
      <span className="visually-hidden">
        , sample of the {name}, task {showHidden(task.task_id)}
      </span>
    </Anchor>
  )
}
