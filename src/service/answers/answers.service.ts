import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AnswerFormat, type AnswerImport, AnswerImportForm } from '../../contract/answers/answers.schemas.ts'
import { invalidField, notFound } from '../../contract/errors.ts'
import { answersEndpoints } from '../../contract/answers/answers.endpoints.ts'
import { describeMisplaced } from '../../engine/importing/known-files.ts'
import { isLog } from '../../engine/importing/answers/open-answers.ts'
import type { Workers } from '../../workers/pool.ts'
import {
  type Catalog,
  type CatalogProfile,
  type KeptDownloads,
  type ReceivedFile,
  type ReceivedForm,
  receiveUpload,
  requireMediaHosts,
} from '../catalog/index.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { parseObject, parsePart } from '../http/parse-input.ts'
import { jobOwner, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { evaluatorScorer } from '../../engine/execution/scheduler/ports.ts'
import { type Evaluators, evaluatorVersionOf } from '../evaluators/index.ts'
import type { NetworkLog } from '../network/index.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { leastSpend, nobody, startWork, sumOf, type Work } from '../spending/index.ts'
import { type AnswerImportFacts, findAnswerImport, insertAnswerImport, listAnswerImports } from './answers.store.ts'
import { detectFormat } from '../../engine/importing/answers/detect-format.ts'
import { sniffFile, type SniffedFile } from '../../engine/importing/answers/sniff-file.ts'
import { fetchAnswerMediaJob } from './fetch-answer-media.job.ts'
import { answerImportJob } from './import-answers.job.ts'
import type { Media } from '../media/index.ts'
import type { PageQuery } from '../../storage/keyset.ts'

/** Imports of outputs that models gave elsewhere. */
export interface Answers {
  create(
    context: Pick<WorkspaceContext, 'workspaceId' | 'workspace' | 'principal' | 'idempotencyKey'>,
    parts: AsyncIterable<UploadPart>,
  ): Promise<AnswerImport>
  read(workspaceId: string, id: string): AnswerImport
  list(workspaceId: string, query: PageQuery): ReturnType<typeof listAnswerImports>
}

export interface AnswersDependencies {
  readonly catalog: Catalog
  readonly quotes: Quotes
  readonly runs: Pick<Runs, 'imported'>
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'readAnswers'>
  readonly media: Pick<Media, 'record'>
  readonly evaluators: Pick<Evaluators, 'outputs'>
  readonly network: Pick<NetworkLog, 'meterFor' | 'proxies'>
  readonly keptDownloads: KeptDownloads
}

export function createAnswers(kernel: Kernel, dependencies: AnswersDependencies): Answers {
  const { db, ids, clock, config } = kernel
  const { catalog, jobs, evaluators } = dependencies
  const uploads = join(config.dataDir, 'answer-uploads')
  const folderOf = (id: string): string => join(uploads, id)
  const importing = answerImportJob(kernel, dependencies, folderOf)
  jobs.register(importing)
  jobs.register(fetchAnswerMediaJob(kernel, dependencies, importing, folderOf))

  const read = (workspaceId: string, id: string): AnswerImport => {
    const found = findAnswerImport(db, id.toLowerCase())
    if (!found || found.workspaceId !== workspaceId) throw notFound('import', id)
    return { ...found.record, status: found.status }
  }
  /** Grading by the judges of a profile. Their bill has no limit and nothing is set aside for it, so keys with a limit start none. */
  const gradingWork = (workspaceId: string, { definition: { metrics } }: CatalogProfile): Work => {
    const versions = metrics.filter(({ scorer }) => scorer === evaluatorScorer).map(evaluatorVersionOf)
    const billed = versions.flatMap(id => evaluators.outputs.judges(workspaceId, id)).filter(({ payer }) => payer === 'provider')
    const spend = sumOf(billed.map(({ rates }) => leastSpend({ kind: 'connection', rates })))
    return { workspaceId, scope: 'runs:write', spend, payerId: nobody }
  }

  return {
    read,
    list: (workspaceId, query) => listAnswerImports(db, workspaceId, query),
    create: async ({ workspaceId, workspace, principal, idempotencyKey }, parts) => {
      const id = ids.next()
      let kept = false
      try {
        const { fields, files } = await receiveUpload(parts, folderOf(id), answersEndpoints.importAnswers.maxBody, true)
        const form = parseForm(fields)
        if (files.length === 0) throw invalidField(['body', 'file'], 'Field required', 'missing')
        const profile = form.profile_id === undefined ? null : catalog.profile(workspaceId, form.profile_id)
        if (form.profile_id !== undefined && !profile?.version) throw notFound('profile', form.profile_id)
        const format = await formatOf(form, files)
        if (!isLog(format) && !profile)
          throw invalidField(['body', 'profile_id'], `is needed for the format "${format}"; it says what was answered`)
        if (isLog(format) && profile)
          throw invalidField(['body', 'profile_id'], `is not for the format "${format}", which brings its own tasks`)
        requireMediaHosts(form.fetch_media, { principal, workspace }, config.remote !== undefined)
        if (form.fetch_media && !isLog(format))
          throw invalidField(['body', 'fetch_media'], `is for logs; the format "${format}" names no media files`)
        const accept = (): string =>
          db.transaction(() => {
            const jobId = jobs.enqueue(form.fetch_media && !form.dry_run ? 'answer_import_media' : 'answer_import', {
              workspaceId,
              owner: jobOwner(principal),
              input: { import_id: id },
              subject: { type: 'answer_import', id },
            })
            const record = firstRecord(id, jobId, timestamp(clock), form, format, files)
            insertAnswerImport(db, { workspaceId, principalId: principal.id, form, record })
            kept = true
            return id
          })
        const begin = (): string =>
          profile && !form.dry_run ? startWork(db, principal.id, gradingWork(workspaceId, profile), timestamp(clock), accept) : accept()
        if (idempotencyKey === null) return read(workspaceId, begin())
        const body = { fields, files: files.map(({ name, sha256 }) => ({ name, sha256 })) }
        const operation = { principalId: principal.id, operation: `importAnswers ${workspaceId}`, key: idempotencyKey, body }
        const answer = await withIdempotency(kernel, operation, begin)
        return read(workspaceId, String(JSON.parse(answer.body)))
      } finally {
        if (!kept) rmSync(folderOf(id), { recursive: true, force: true })
      }
    },
  }
}

/** Reads the form's text fields. */
function parseForm({ mapping, fetch_media, dry_run, ...texts }: ReceivedForm['fields']): AnswerImportForm {
  const raw = {
    ...texts,
    ...(mapping === undefined ? {} : { mapping: parseObject('mapping', mapping) }),
    ...(fetch_media === undefined ? {} : { fetch_media: parseObject('fetch_media', fetch_media) }),
    ...(dry_run === undefined ? {} : { dry_run: dry_run === 'true' ? true : dry_run === 'false' ? false : dry_run }),
  }
  // The schema that parsed it is the one that the type was inferred from.
  return parsePart(AnswerImportForm, raw, 'body') as AnswerImportForm
}

async function formatOf({ format, profile_id: profileId }: AnswerImportForm, files: readonly ReceivedFile[]): Promise<AnswerFormat> {
  if (format) return format
  const sniffed: SniffedFile[] = []
  for (const file of files) sniffed.push(await sniffFile(file))
  const found = detectFormat(sniffed, profileId !== undefined)
  const misplaced = found === null ? await describeMisplaced(files, '') : null
  if (misplaced !== null) throw invalidField(['body', 'file'], misplaced)
  if (found === null)
    throw invalidField(
      ['body', 'format'],
      profileId === undefined
        ? 'cannot be detected from the files: choose the benchmark that a table of outputs answers ("profile_id"), or name the format'
        : 'cannot be detected from the files; name it',
    )
  return found
}

function firstRecord(
  id: string,
  jobId: string,
  now: string,
  form: AnswerImportForm,
  format: AnswerFormat,
  files: readonly ReceivedFile[],
): AnswerImportFacts {
  return {
    id,
    job_id: jobId,
    dry_run: form.dry_run,
    format,
    profile_id: form.profile_id ?? null,
    files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    rows: { read: 0, matched: 0, unmatched: 0, invalid: 0 },
    tasks: { total: 0, answered: 0, missing: 0 },
    columns: [],
    mapping: null,
    preview: [],
    unmatched: [],
    missing_tasks: [],
    remote_media: [],
    remote_hosts: 0,
    errors: [],
    error_count: 0,
    warnings: [],
    models: [],
    runs: [],
    benchmarks: [],
    log_metrics: [],
    disagreements: [],
    created_at: now,
    finished_at: null,
  }
}
