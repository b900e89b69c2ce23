import { createHash } from 'node:crypto'
import { ApiError } from '../../contract/errors.ts'
import { caseFiles } from '../../contract/tuning/case-input.ts'
import { mostCases } from '../../contract/tuning/draft.schemas.ts'
import type { TuneExport } from '../../contract/tuning/export.schemas.ts'
import { recommendedCall } from '../../contract/tuning/recommended-call.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import type { Database } from '../../storage/database.ts'
import { storedFacts } from '../../storage/reads/stored-media.ts'
import { appVersion } from '../version.ts'
import { readCases } from '../../storage/reads/tune-cases.ts'
import type { TuneSessions } from './sessions.service.ts'
import { toListItem } from './sessions.store.ts'

/** A session as one document. @throws ApiError result_not_ready before a group has ended */
export async function exportSession(db: Database, sessions: TuneSessions, workspaceId: string, id: string): Promise<TuneExport> {
  const row = sessions.rowOf(workspaceId, id)
  const groups = sessions.groups(row)
  const ended = groups.findLast(group => group.conclusion !== null)
  if (!ended) throw new ApiError('result_not_ready', `No run group of the session has ended; it is ${row.status}. Export it when one has.`)
  const { call, grader, revision } = sessions.approved(row, 'export')
  const session = toListItem(row)
  // Loads what renders pages, which the start of a service has no use for.
  const { tuneReport } = await import('../../engine/reporting/report/tune-report.ts')
  const arm = ended.arms.find(({ label }) => label === ended.conclusion?.recommended)
  const cases = readCases(db, row.no, revision, mostCases)
  const digests = [...new Set(cases.flatMap(({ input }) => caseFiles(input)).map(({ media }) => media))]
  const content: Omit<TuneExport, 'digest'> = {
    format: 'assay.tune/1',
    session,
    call,
    recommended_call: arm ? recommendedCall(call, arm) : null,
    grader,
    cases,
    media: [...storedFacts(db, workspaceId, digests).values()],
    groups,
    report_html: tuneReport(session, groups, appVersion),
  }
  return { ...content, digest: createHash('sha256').update(canonicalJson(content)).digest('hex') }
}
