import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { illegalTransition } from '../../contract/machine.ts'
import { issueMachine } from '../../contract/releases/issue.machine.ts'
import type { Issue, IssueDetail, IssueEvent, IssueEventResult, NewIssueEvent } from '../../contract/releases/issues.schemas.ts'
import { transition } from '../../storage/transition.ts'
import type { Principal } from '../auth/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { findSource, findTasks } from '../suites/index.ts'
import { byOf } from './by.ts'
import {
  eventsOf,
  findIssue,
  insertIssue,
  insertIssueEvent,
  type IssuesQuery,
  linkTasks,
  listIssues,
  unclosedIssues,
  updateIssue,
} from './issues.store.ts'

export type ReleaseIssues = ReturnType<typeof createReleaseIssues>
type LinkedTask = Issue['tasks'][number]

export interface IssuesDependencies {
  readonly runs: Pick<Runs, 'findSample'>
  /** Whether a decision of the workspace is approved. @throws ApiError not_found */
  readonly isApproved: (workspaceId: string, decisionId: string) => boolean
}

const at = { table: 'release_issues', column: 'status' } as const

/** Issues and what happened to them: each event is checked, added, and moves the issue. */
export function createReleaseIssues(kernel: Kernel, { runs, isApproved }: IssuesDependencies) {
  const { db, ids, clock } = kernel

  const issueOf = (workspaceId: string, id: string): Issue => requireFound(findIssue(db, workspaceId, id), 'issue', id)
  /** Tasks with their sources resolved. @throws ApiError task_unavailable */
  const resolve = (workspaceId: string, tasks: readonly LinkedTask[]): LinkedTask[] =>
    tasks.map(({ source_ref, task_id }, i) => {
      const source = findSource(db, workspaceId, source_ref)
      if (source && findTasks(db, source.no, [task_id]).has(task_id)) return { source_ref: source.sourceRef, task_id }
      const msg = source ? `"${source_ref}" has no task "${task_id}"` : `there is no source "${source_ref}" in this workspace`
      throw new ApiError('task_unavailable', `tasks.${i}: ${msg}`, { detail: [{ loc: ['body', 'tasks', i], msg, type: 'unknown_task' }] })
    })
  const samplesOf = (workspaceId: string, sampleIds: readonly string[]) =>
    sampleIds.map(id => requireFound(runs.findSample(workspaceId, id), 'sample', id))
  /** What the samples of an event show, or why they do not suffice. */
  const requireSamples = (workspaceId: string, issue: Issue, { type, sample_ids = [], decision_id }: NewIssueEvent): void => {
    if (type === 'fix' && decision_id !== undefined) {
      if (isApproved(workspaceId, decision_id)) return
      throw new ApiError('illegal_transition', `The decision "${decision_id}" is not approved, so it shows no fix.`)
    }
    if (sample_ids.length === 0)
      throw invalidField(
        ['body', 'sample_ids'],
        type === 'fix' ? 'is required: passing samples, or a decision_id' : 'is required: a failing sample',
        'missing',
      )
    if (issue.tasks.length === 0) throw new ApiError('conflict', `No task is linked to the issue "${issue.title}". Link one first.`)
    const samples = samplesOf(workspaceId, sample_ids)
    const of = (task: LinkedTask) => samples.filter(sample => sample.source_ref === task.source_ref && sample.task_id === task.task_id)
    if (type !== 'fix') {
      if (issue.tasks.some(task => of(task).some(sample => sample.passed === false))) return
      throw new ApiError('conflict', 'None of the samples is a failing sample of a linked task.')
    }
    const open = issue.tasks.find(task => of(task).length === 0 || of(task).some(sample => sample.passed !== true))
    if (open)
      throw new ApiError('conflict', `The linked task "${open.task_id}" has no passing sample among them, or one that does not pass.`)
  }

  const open = (workspaceId: string, body: NewIssueEvent, now: string): { issue: Issue; from: null } => {
    const { title, severity, tasks = [], trace_id = null, url = null } = body
    if (title === undefined) throw invalidField(['body', 'title'], 'is required', 'missing')
    if (severity === undefined) throw invalidField(['body', 'severity'], 'is required', 'missing')
    const linked = resolve(workspaceId, tasks)
    const issue: Issue = {
      id: ids.next(),
      title,
      severity,
      status: issueMachine.initial,
      tasks: linked,
      trace_id,
      url,
      reason: null,
      last_result: null,
      created_at: now,
      updated_at: now,
    }
    insertIssue(db, workspaceId, issue)
    return { issue: issueOf(workspaceId, issue.id), from: null }
  }
  const move = (workspaceId: string, issue: Issue, body: NewIssueEvent, now: string): void => {
    const { type, tasks = [], reason } = body
    if (type === 'open') return
    if (type === 'link') {
      if (issue.status === 'closed') throw illegalTransition('issue', issue.id, issue.status, type)
      if (tasks.length === 0) throw invalidField(['body', 'tasks'], 'is required', 'missing')
      linkTasks(db, issue.id, resolve(workspaceId, tasks))
    } else {
      // The state is refused before the samples are looked at.
      transition(db, issueMachine, at, issue.id, type, now)
      if (type === 'close' && reason === undefined) throw invalidField(['body', 'reason'], 'is required', 'missing')
      if (type !== 'close') requireSamples(workspaceId, issue, body)
    }
    updateIssue(db, issue.id, {
      ...(body.trace_id === undefined ? {} : { trace_id: body.trace_id.toLowerCase() }),
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(type === 'close' ? { reason: reason ?? null } : {}),
      ...(type === 'fix'
        ? { last_result: 'pass' as const }
        : type === 'reproduce' || type === 'regress'
          ? { last_result: 'fail' as const }
          : {}),
      updated_at: now,
    })
  }

  return {
    record: (workspaceId: string, principal: Principal, body: NewIssueEvent): IssueEventResult => {
      requireFields(body)
      return db.transaction(() => {
        const now = timestamp(clock)
        const opened = body.type === 'open' ? open(workspaceId, body, now) : null
        const before = opened?.issue ?? issueOf(workspaceId, body.issue_id ?? '')
        move(workspaceId, before, body, now)
        const issue = issueOf(workspaceId, before.id)
        const event: IssueEvent = {
          id: ids.next(),
          issue_id: issue.id,
          type: body.type,
          from: opened ? null : before.status,
          to: issue.status,
          tasks: body.tasks === undefined ? [] : resolve(workspaceId, body.tasks),
          sample_ids: (body.sample_ids ?? []).map(id => runs.findSample(workspaceId, id)?.id ?? id.toLowerCase()),
          trace_id: body.trace_id ?? null,
          url: body.url ?? null,
          decision_id: body.decision_id ?? null,
          note: body.note ?? null,
          reason: body.reason ?? null,
          occurred_at: body.occurred_at ?? now,
          by: byOf(principal),
          at: now,
        }
        insertIssueEvent(db, workspaceId, event)
        return { event, issue }
      })
    },
    read: (workspaceId: string, id: string): IssueDetail => {
      const issue = issueOf(workspaceId, id)
      return { ...issue, events: eventsOf(db, issue.id) }
    },
    list: (workspaceId: string, query: IssuesQuery) => listIssues(db, workspaceId, query),
    unclosed: (workspaceId: string): Issue[] => unclosedIssues(db, workspaceId),
  }
}

/** Fields that belong to other types of events are refused, so that none is lost in silence. */
function requireFields(body: NewIssueEvent): void {
  const { type, issue_id } = body
  if (type === 'open' && issue_id !== undefined)
    throw invalidField(['body', 'issue_id'], 'must be absent with "open", which makes the issue')
  if (type !== 'open' && issue_id === undefined) throw invalidField(['body', 'issue_id'], 'is required', 'missing')
  for (const field of ['title', 'severity'] as const)
    if (type !== 'open' && body[field] !== undefined) throw invalidField(['body', field], `is for "open", not for "${type}"`)
  if (type !== 'open' && type !== 'link' && body.tasks !== undefined)
    throw invalidField(['body', 'tasks'], `is for "open" and "link", not for "${type}"`)
  if (type !== 'close' && body.reason !== undefined) throw invalidField(['body', 'reason'], `is for "close", not for "${type}"`)
}
