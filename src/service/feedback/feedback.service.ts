import { api } from '../../contract/api.ts'
import { ApiError, requireFound } from '../../contract/errors.ts'
import { feedbackMachine } from '../../contract/feedback/feedback.machine.ts'
import {
  type FeedbackBody,
  feedbackLimits,
  type FeedbackReceipt,
  type FeedbackReport,
  type FeedbackTriageBody,
} from '../../contract/feedback/feedback.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { transition } from '../../storage/transition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { cleanReport, cleanText } from './clean-report.ts'
import { type FeedbackQuery, findLike, findReport, insertReport, listReports, nthLatest, storeResolution } from './feedback.store.ts'
import { fingerprint } from './fingerprint.ts'
import { routeTemplates } from './route-template.ts'

const hour = 3600 * 1000
const column = { table: 'feedback', column: 'status' } as const
const eventOf = { triaged: 'triage', accepted: 'accept', pr_open: 'open_pr', shipped: 'ship', declined: 'decline' } as const

export interface Sender {
  readonly workspaceId: string
  readonly principalId: string
  readonly userAgent: string | null
}

export interface Feedback {
  /** @throws ApiError rate_limited */
  send(sender: Sender, body: FeedbackBody): Promise<FeedbackReceipt>
  list(workspaceId: string, query: FeedbackQuery): { items: FeedbackReport[]; next_cursor: string | null }
  read(workspaceId: string, id: string): FeedbackReport
  triage(workspaceId: string, id: string, step: FeedbackTriageBody): Promise<FeedbackReport>
}

export function createFeedback({ db, clock, ids, secrets: stored }: Kernel): Feedback {
  const templateOf = routeTemplates(api)
  const read = (workspaceId: string, id: string): FeedbackReport => requireFound(findReport(db, workspaceId, id), 'feedback report', id)
  return {
    read,
    list: (workspaceId, query) => listReports(db, workspaceId, query),
    send: async ({ workspaceId, principalId, userAgent }, body) => {
      const report = cleanReport(body, userAgent, templateOf, await stored.of([workspaceId]))
      const mark = fingerprint(report)
      return db.transaction(() => {
        const now = clock.now()
        requirePace(db, workspaceId, now)
        const id = ids.next()
        const since = new Date(now.getTime() - feedbackLimits.duplicateHours * hour).toISOString()
        const duplicateOf = findLike(db, workspaceId, mark, since)
        insertReport(db, { id, workspaceId, principalId, report, fingerprint: mark, duplicateOf, createdAt: now.toISOString() })
        return { feedback_id: id, status: 'received', duplicate_of: duplicateOf }
      })
    },
    triage: async (workspaceId, id, step) => {
      const secrets = await stored.of([workspaceId])
      return db.transaction(() => {
        const { feedback_id } = read(workspaceId, id)
        const now = timestamp(clock)
        const note = step.status === 'declined' ? cleanText(step.resolution_note, secrets) : null
        transition(db, feedbackMachine, column, feedback_id, eventOf[step.status], now, note)
        storeResolution(db, feedback_id, { prUrl: step.status === 'pr_open' ? cleanText(step.pr_url, secrets) : null, note }, now)
        return read(workspaceId, id)
      })
    },
  }
}

/** Sliding windows: the report that fills one says when there is room again. */
function requirePace(db: Database, workspaceId: string, now: Date): void {
  for (const { count, window, name } of [
    { count: feedbackLimits.perHour, window: hour, name: 'hour' },
    { count: feedbackLimits.perDay, window: 24 * hour, name: 'day' },
  ]) {
    const filledBy = nthLatest(db, workspaceId, count)
    const wait = filledBy === null ? 0 : Date.parse(filledBy) + window - now.getTime()
    if (wait <= 0) continue
    const seconds = Math.ceil(wait / 1000)
    throw new ApiError(
      'rate_limited',
      `This workspace has sent ${count} reports within the last ${name}, which is the limit. Try again in ${seconds} seconds.`,
      {
        headers: { 'retry-after': String(seconds) },
      },
    )
  }
}
