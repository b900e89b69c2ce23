import { allows } from '../../contract/machine.ts'
import type { ProposedIssueEvent } from '../../contract/releases/decisions.schemas.ts'
import { issueMachine } from '../../contract/releases/issue.machine.ts'
import type { Issue, NewIssueEvent } from '../../contract/releases/issues.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Runs } from '../runs/index.ts'
import type { Advance } from './advance-decision.ts'
import { evaluationsOf } from './decision-evaluations.store.ts'
import type { DecisionRow } from './decisions.store.ts'
import { issuesWithTasks } from './issues.store.ts'

interface ProposalDependencies {
  readonly db: Database
  readonly evaluations: Evaluations
  readonly runs: Runs
  readonly steps: Pick<Advance, 'candidateRuns'>
}

type SampleOfTask = ReturnType<Runs['samplesOfTasks']>[number]

/** Issues looked at, and samples of each run. */
const [mostIssues, mostSamples] = [200, 2000]

/** What the candidate's answers say of issues whose tasks the suite has. A person sends such events; nothing is recorded here. */
export function proposeEvents(
  { db, runs, steps }: ProposalDependencies,
  decision: DecisionRow,
  { groups }: ReleaseSuite,
): ProposedIssueEvent[] {
  if (decision.outcome === null || decision.status === 'cancelled') return []
  const inSuite = new Set(
    groups.flatMap(({ task_selections: of }) => of.flatMap(({ source_ref, task_ids }) => task_ids.map(id => nameOf(source_ref, id)))),
  )
  const issues = issuesWithTasks(db, decision.workspaceId, mostIssues).filter(({ tasks }) =>
    tasks.some(task => inSuite.has(nameOf(task.source_ref, task.task_id))),
  )
  if (issues.length === 0) return []
  const taskIds = [...new Set(issues.flatMap(({ tasks }) => tasks.map(task => task.task_id)))]
  const samples = steps
    .candidateRuns(decision, evaluationsOf(db, decision.no))
    .flatMap(run => runs.samplesOfTasks(decision.workspaceId, run, taskIds, mostSamples))
  const byTask = Map.groupBy(samples, sample => nameOf(sample.source_ref, sample.task_id))
  return issues.flatMap(issue => {
    const event = eventOf(issue, byTask, decision)
    return event ? [{ issue: { id: issue.id, title: issue.title, severity: issue.severity, status: issue.status }, ...event }] : []
  })
}

/** The event that the samples support from the issue's present state; null where they support none. */
function eventOf(
  { id, status, tasks }: Issue,
  byTask: ReadonlyMap<string, readonly SampleOfTask[]>,
  decision: DecisionRow,
): Pick<ProposedIssueEvent, 'reason' | 'body'> | null {
  const found = tasks.map(task => byTask.get(nameOf(task.source_ref, task.task_id)) ?? [])
  const failing = found.flat().filter(({ passed }) => passed === false)
  const propose = (type: NewIssueEvent['type'], samples: readonly SampleOfTask[], reason: string) => ({
    reason,
    body: { type, issue_id: id, sample_ids: samples.slice(0, 1000).map(sample => sample.id) },
  })
  if (failing.length > 0) {
    const type = (['reproduce', 'regress'] as const).find(event => allows(issueMachine, status, event))
    return type ? propose(type, failing, `The candidate fails ${failing.length} of ${found.flat().length} samples of its tasks.`) : null
  }
  if (!allows(issueMachine, status, 'fix') || found.some(of => of.length === 0 || of.some(({ passed }) => passed !== true))) return null
  const fix = propose(
    'fix',
    found.flat(),
    `The candidate passes every sample of its linked ${tasks.length === 1 ? 'task' : `${tasks.length} tasks`}.`,
  )
  return decision.status === 'approved' ? { ...fix, body: { ...fix.body, decision_id: decision.id } } : fix
}

function nameOf(sourceRef: string, taskId: string): string {
  return `${sourceRef}\n${taskId}`
}
