import { z } from 'zod'
import { By } from '../datasets/examples.schemas.ts'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { issueMachine } from './issue.machine.ts'

export const IssueSeverity = z.enum(['critical', 'high', 'medium', 'low'])

const LinkedTask = z.strictObject({ source_ref: z.string().min(3).max(300), task_id: z.string().min(1).max(500) })
const CloseReason = z.enum(['verified', 'wont_fix', 'duplicate', 'invalid'])
const link = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/\S+$/, 'must be an http or https address')

export const NewIssueEvent = named('NewReleaseIssueEvent', {
  issue_id: Uuid.optional().describe('Required, except with `open`, which creates the issue.'),
  type: z
    .enum(['open', 'link', 'reproduce', 'fix', 'regress', 'close'])
    .describe(
      '`link` adds tasks; `reproduce` and `regress` need a failing sample of a linked task; `fix` passing samples of all linked tasks or an approved decision; `close` a reason.',
    ),
  title: Name.optional().describe('With `open`.'),
  severity: IssueSeverity.optional().describe('With `open`.'),
  tasks: z.array(LinkedTask).min(1).max(1000).optional().describe('With `open` and `link`: tasks that show the issue.'),
  sample_ids: z.array(Uuid).min(1).max(1000).optional(),
  trace_id: Uuid.optional(),
  url: link.optional().describe('Where the issue is tracked elsewhere.'),
  decision_id: Uuid.optional(),
  note: z.string().max(5000).optional(),
  reason: CloseReason.optional().describe('With `close`.'),
  occurred_at: Timestamp.optional().describe('When it happened; defaults to now.'),
})

const IssueStatus = z.enum(issueMachine.states)

export const Issue = named('ReleaseIssue', {
  id: Uuid,
  title: z.string(),
  severity: IssueSeverity,
  status: IssueStatus,
  tasks: z.array(LinkedTask).describe('Linked tasks, in the order linked.'),
  trace_id: Uuid.nullable(),
  url: z.string().nullable(),
  reason: CloseReason.nullable().describe('Of the last `close`.'),
  last_result: z.enum(['pass', 'fail']).nullable().describe('What the last `reproduce`, `fix` or `regress` showed.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const IssueEvent = named('ReleaseIssueEvent', {
  id: Uuid,
  issue_id: Uuid,
  type: NewIssueEvent.shape.type,
  from: IssueStatus.nullable(),
  to: IssueStatus,
  tasks: z.array(LinkedTask),
  sample_ids: z.array(Uuid),
  trace_id: Uuid.nullable(),
  url: z.string().nullable(),
  decision_id: Uuid.nullable(),
  note: z.string().nullable(),
  reason: CloseReason.nullable(),
  occurred_at: Timestamp,
  by: By,
  at: Timestamp,
})

export const IssueEventResult = named('ReleaseIssueEventResult', { event: IssueEvent, issue: Issue })
export const IssueDetail = named('ReleaseIssueDetail', {
  ...Issue.shape,
  events: z.array(IssueEvent).describe('The first 1,000, oldest first.'),
})

export const ReleaseCoverage = named('ReleaseCoverage', {
  suite_version_id: Uuid,
  capabilities: z
    .array(
      z.strictObject({
        capability: z.string(),
        tasks: z.int().min(1),
        minimum_detectable_difference: z
          .number()
          .nullable()
          .describe(
            'Smallest difference that the exact McNemar test misses at most one time in five, between two models that are each right half of the time and err independently; null where even 0.5 can be missed.',
          ),
      }),
    )
    .describe('Of tasks and groups, most tasks first.'),
  issues: z
    .array(
      z.strictObject({
        id: Uuid,
        title: z.string(),
        severity: IssueSeverity,
        status: IssueStatus,
        linked: z.int().min(0).describe('Tasks that show the issue.'),
        in_suite: z.int().min(0).describe('Linked tasks in this suite.'),
        last_result: Issue.shape.last_result,
      }),
    )
    .describe('Every issue that is not closed, most severe first.'),
  uncovered_critical: z.array(Uuid).describe('Critical issues that are open, reproduced or regressed, without a task in the suite.'),
  untagged_tasks: z.int().min(0).describe('Tasks without a capability.'),
})

export type Issue = z.infer<typeof Issue>
export type IssueDetail = z.infer<typeof IssueDetail>
export type IssueEvent = z.infer<typeof IssueEvent>
export type IssueEventResult = z.infer<typeof IssueEventResult>
export type IssueSeverity = z.infer<typeof IssueSeverity>
export type NewIssueEvent = z.infer<typeof NewIssueEvent>
export type ReleaseCoverage = z.infer<typeof ReleaseCoverage>
