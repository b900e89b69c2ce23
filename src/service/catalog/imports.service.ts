import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { requireFound } from '../../contract/errors.ts'
import { catalogEndpoints } from '../../contract/catalog/catalog.endpoints.ts'
import { atIntervals, type Background } from '../background.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { operatorOf, withIdempotency } from '../http/idempotency.ts'
import { jobOwner, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { type ImportNeeds, withFault } from './execute-import.ts'
import { scorerProblem } from '../scorer-problem.ts'
import { requireMetrics } from './chosen-metrics.ts'
import { requireMediaHosts } from './media-hosts.ts'
import type { FetchProgress } from './fetch-recipe.ts'
import { createImportHandlers, firstKind, importKinds, type ImportInput, importsFolder, importSubject } from './import-jobs.ts'
import { endImport, findImport, type ImportFacts, insertImport, unfinishedImports } from './imports.store.ts'
import { createKeptDownloads, type KeptDownloads } from './kept-downloads.ts'
import { type FetchPlan, filesOf, type ImportPlan, parseForm, planFetch, planImport } from './plan-import.ts'
import { receiveUpload } from './receive-upload.ts'
import { findBase } from './versions.store.ts'

const hourMs = 3_600_000

export interface Imports extends Required<Background> {
  create(
    context: Pick<WorkspaceContext, 'workspaceId' | 'workspace' | 'principal' | 'idempotencyKey' | 'markReplayed' | 'signal'>,
    parts: AsyncIterable<UploadPart>,
  ): Promise<ImportRecord>
  read(workspaceId: string, id: string): ImportRecord
  /** What any kind of import that failed has downloaded, which is removed by the hour. */
  readonly keptDownloads: KeptDownloads
}

/** Receives uploads and hands them to the jobs that read them. */
export function createImports(
  kernel: Kernel,
  { jobs, ...others }: { jobs: Jobs; network: Pick<NetworkLog, 'meterFor' | 'proxies'> } & ImportNeeds,
): Imports {
  const { db, ids, clock, config } = kernel
  const keptDownloads = createKeptDownloads(kernel)
  const { handlers, downloadOf } = createImportHandlers(kernel, { jobs, keptDownloads, ...others })
  const notRemoved = 'downloads of failed imports could not be removed'
  const sweeping = atIntervals(kernel.log, hourMs, keptDownloads.sweep, notRemoved)
  for (const handler of handlers) jobs.register(handler)
  keptDownloads.sweep().catch((error: unknown) => kernel.log.error({ err: error }, notRemoved))
  tidyUp(kernel, new Set(importKinds.flatMap(kind => jobs.open(kind)).map(job => job.subject?.id ?? '')))

  const read = (workspaceId: string, id: string): ImportRecord => {
    const found = requireFound(findImport(db, workspaceId, id), 'import', id)
    const job = jobs.of({ type: importSubject, id }, importKinds)
    const { status, facts } = found
    return { ...facts, status, fetch: downloadOf(id) ?? facts.fetch, job_id: job?.id ?? null, error_code: job?.error?.code ?? null }
  }

  return {
    ...sweeping,
    keptDownloads,
    read,
    create: async ({ workspaceId, workspace, principal, idempotencyKey, markReplayed, signal }, parts) => {
      const id = ids.next()
      const folder = importsFolder(config.dataDir, id)
      let isBegun = false
      try {
        const { fields, files } = await receiveUpload(parts, folder, catalogEndpoints.createImport.maxBody, true)
        const form = parseForm(fields)
        requireMediaHosts(form.fetch_media, { principal, workspace }, config.remote !== undefined)
        if (form.profile) await requireMetrics(form.profile, spec => scorerProblem(others.workers, spec, signal))
        const facts = form.fetch
          ? fetchFacts(id, timestamp(clock), planFetch(form, files))
          : firstFacts(
              id,
              timestamp(clock),
              planImport(form, files, (slug, sourceRef) => findBase(db, workspaceId, slug, sourceRef)),
            )
        const input: ImportInput = { form, files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })) }
        const begin = () => {
          insertImport(db, workspaceId, facts)
          jobs.enqueue(form.fetch ? 'catalog_import_download' : firstKind(form), {
            workspaceId,
            owner: jobOwner(principal),
            input,
            subject: { type: importSubject, id },
          })
          db.afterCommit(() => (isBegun = true))
          return id
        }
        if (idempotencyKey === null) return read(workspaceId, db.transaction(begin))
        const body = { fields, files: files.map(({ name, sha256 }) => ({ name, sha256 })) }
        const answer = await withIdempotency(
          kernel,
          { principalId: operatorOf(principal), operation: `createImport ${workspaceId}`, key: idempotencyKey, body },
          begin,
        )
        if (answer.replayed) markReplayed()
        return read(workspaceId, String(JSON.parse(answer.body)))
      } finally {
        if (!isBegun) rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Removes files of uploads that no job waits for, and ends imports that have no job: of a version that had none. */
function tidyUp({ config, db, clock }: Kernel, open: ReadonlySet<string>): void {
  const uploads = join(config.dataDir, 'uploads')
  for (const name of existsSync(uploads) ? readdirSync(uploads) : [])
    if (!open.has(name)) rmSync(join(uploads, name), { recursive: true, force: true })
  for (const facts of unfinishedImports(db)) {
    if (open.has(facts.id)) continue
    const again = facts.fetch && facts.files.length === 0 ? 'have the files downloaded' : 'send the files'
    const message = `The service stopped while the import was under way. Nothing was imported; ${again} again.`
    endImport(db, 'fail', withFault(facts, message), timestamp(clock))
  }
}

function fetchFacts(id: string, now: string, plan: FetchPlan): ImportFacts {
  return { ...firstFacts(id, now, plan.planOf([])), fetch: firstProgress(plan) }
}

function firstProgress({ wanted: [first, ...others] }: FetchPlan): FetchProgress | null {
  if (!first) return null
  const { url, fileName, download } = first
  return { url, file_name: fileName, file_number: 1, file_count: 1 + others.length, received_bytes: 0, total_bytes: download.bytes }
}

function firstFacts(id: string, now: string, plan: ImportPlan): ImportFacts {
  return {
    id,
    dry_run: plan.dryRun,
    recipe: plan.recipe,
    format: plan.format,
    fetch: null,
    files: filesOf(plan),
    rows: { read: 0, valid: 0, invalid: 0 },
    columns: [],
    column_samples: [],
    mapping: null,
    preview: [],
    splits: [],
    answer_key: null,
    errors: [],
    error_count: 0,
    left_out: [],
    left_out_count: 0,
    evaluators: [],
    choices: [],
    media: null,
    remote_media: [],
    remote_hosts: 0,
    warnings: [...plan.warnings],
    slug: plan.slug,
    source_ref: null,
    already_present: false,
    created_at: now,
    finished_at: null,
  }
}
