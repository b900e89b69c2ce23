import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { RemoteOrder } from '../../engine/importing/media/remote-media.ts'
import { ImportForm } from '../../contract/catalog/imports.schemas.ts'
import type { JobKind } from '../../contract/jobs/jobs.schemas.ts'
import { Sha256 } from '../../contract/primitives.ts'
import { catalogEndpoints } from '../../contract/catalog/catalog.endpoints.ts'
import { guarded } from '../../lib/guarded.ts'
import { type JobEnd, type JobFacts, JobFailure, type JobHandler, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { executeImport, type ImportNeeds, mediaToFetch, withFault } from './execute-import.ts'
import { fetchMedia } from './fetch-media.ts'
import { type FetchProgress, fetchRecipe } from './fetch-recipe.ts'
import { countDownloads, describeKept, type KeptDownloads } from './kept-downloads.ts'
import { endImport, findImport, reopenImport, type StoredImport, updateImport } from './imports.store.ts'
import { filesOf, type ImportPlan, planFetch, planImport } from './plan-import.ts'
import { mediaLane, mediaWay } from './media-way.ts'
import type { ReceivedFile } from './receive-upload.ts'
import { findBase } from './versions.store.ts'

/** What an import is made from: the form, and the files that lie in its folder, numbered. */
export const ImportInput = z.strictObject({
  form: ImportForm,
  files: z.array(z.strictObject({ name: z.string(), bytes: z.int(), sha256: Sha256 })),
})
export type ImportInput = z.infer<typeof ImportInput>

export const importSubject = 'import'
export const importKinds: readonly JobKind[] = [
  'catalog_import',
  'catalog_import_preview',
  'catalog_import_download',
  'catalog_import_media',
]

/** What is done once the files are here: media that they name are fetched first. A preview is listed under its own name. */
export function firstKind(form: ImportForm): JobKind {
  return form.dry_run ? 'catalog_import_preview' : form.fetch_media ? 'catalog_import_media' : 'catalog_import'
}

export interface ImportHandlers {
  readonly handlers: readonly JobHandler<ImportInput>[]
  /** How far the download of an import has got, while it is under way. */
  downloadOf(importId: string): FetchProgress | null
}

export function importsFolder(dataDir: string, importId: string): string {
  return join(dataDir, 'uploads', importId)
}

/**
 * Imports run one after the other: two of the same benchmark never meet, and a large one leaves the machine room for runs. So do
 * downloads, in a lane of their own: a slow server delays no import of files that are here.
 */
export function createImportHandlers(
  kernel: Pick<Kernel, 'config' | 'db' | 'clock' | 'log' | 'accessPolicy' | 'storage'>,
  {
    jobs,
    network,
    keptDownloads,
    ...needs
  }: { jobs: Jobs; network: Pick<NetworkLog, 'meterFor' | 'proxies'>; keptDownloads: KeptDownloads } & ImportNeeds,
): ImportHandlers {
  const { db, clock, config } = kernel
  const downloads = new Map<string, FetchProgress>()

  const importOf = ({ workspaceId, subject }: JobFacts<ImportInput>): StoredImport & { readonly workspaceId: string } => {
    const found = workspaceId !== null && subject ? findImport(db, workspaceId, subject.id) : null
    if (workspaceId === null || !found) throw new Error('The job works on an import that is not there.')
    return { ...found, workspaceId }
  }
  const removeFiles = (importId: string) => {
    inBackground(() => keptDownloads.drop(mediaFolder(importId)), 'downloads of an import could not be removed')
    rmSync(importsFolder(config.dataDir, importId), { recursive: true, force: true })
  }
  const inBackground = (work: () => Promise<void>, problem: string) => guarded(work, error => kernel.log.error({ err: error }, problem))()
  const ended = (job: JobFacts<ImportInput>, { message }: JobEnd) => {
    const { status, facts, workspaceId } = importOf(job)
    const kept = countDownloads(mediaFolder(facts.id))
    const said = kept === 0 ? facts : { ...facts, warnings: [...facts.warnings, describeKept(kept)] }
    // Refused files have ended the import already, with every error in its record.
    if (status === 'validating') endImport(db, 'fail', withFault(said, `${message} Nothing was imported.`), timestamp(clock))
    else if (kept > 0) updateImport(db, said)
    db.afterCommit(() => {
      downloads.delete(facts.id)
      if (kept > 0)
        inBackground(
          () => keptDownloads.keep(workspaceId, facts.id, mediaFolder(facts.id)),
          'downloads of a failed import could not be kept',
        )
      removeFiles(facts.id)
    })
  }
  const receivedFiles = (importId: string, files: ImportInput['files']): ReceivedFile[] =>
    files.map((file, i) => ({ ...file, path: join(importsFolder(config.dataDir, importId), String(i)) }))

  const ownOrigin = (): string => `http://127.0.0.1:${kernel.accessPolicy().port}`
  const mediaFolder = (importId: string): string => join(importsFolder(config.dataDir, importId), 'media')
  /** A preview opens no address. */
  const remoteOf = (importId: string, { fetch_media: allowed, dry_run: isPreview }: ImportForm): RemoteOrder | undefined =>
    allowed && { allowed, folder: isPreview ? null : mediaFolder(importId) }

  const reading: JobHandler<ImportInput> = {
    kind: 'catalog_import',
    input: ImportInput,
    lane: 'imports',
    concurrency: 1,
    run: async job => {
      const { facts, workspaceId } = importOf(job)
      const remote = remoteOf(facts.id, job.input.form)
      const last = await executeImport(kernel, needs, job, workspaceId, planOf(workspaceId, facts.id, job.input), facts, remote)
      return () => {
        last()
        db.afterCommit(() => {
          downloads.delete(facts.id)
          removeFiles(facts.id)
        })
      }
    },
    ended,
  }
  const planOf = (workspaceId: string, importId: string, { form, files }: ImportInput): ImportPlan => {
    const received = receivedFiles(importId, files)
    if (!form.fetch) return planImport(form, received, (slug, sourceRef) => findBase(db, workspaceId, slug, sourceRef))
    const { wanted, planOf: planFetched } = planFetch(form, [])
    return planFetched(wanted.flatMap((one, i) => (received[i] ? [{ wanted: one, file: received[i] }] : [])))
  }

  const downloading: JobHandler<ImportInput> = {
    kind: 'catalog_import_download',
    input: ImportInput,
    lane: 'import-downloads',
    concurrency: 1,
    run: async job => {
      const { facts: begun, workspaceId } = importOf(job)
      const plan = planFetch(job.input.form, [])
      const way = {
        proxies: network.proxies(),
        ownOrigin: ownOrigin(),
        mirror: config.recipeMirror ?? null,
        traffic: network.meterFor(workspaceId),
        mostBytes: catalogEndpoints.createImport.maxBody,
      }
      // What an interrupted attempt left.
      removeFiles(begun.id)
      const publish = (now: FetchProgress) => {
        downloads.set(begun.id, now)
        job.progress({ done: now.received_bytes, total: now.total_bytes, message: `Downloading ${now.file_name}` })
      }
      const result = await fetchRecipe(plan.wanted, importsFolder(config.dataDir, begun.id), way, publish, job.signal)
      job.signal.throwIfAborted()
      const facts = { ...begun, fetch: downloads.get(begun.id) ?? begun.fetch }
      if (!result.ok) {
        const refused = withFault(facts, result.message, result.file)
        throw new JobFailure('provider_error', result.message, () => endImport(db, 'fail', refused, timestamp(clock)))
      }
      const files = result.fetched.map(({ file: { name, bytes, sha256 } }) => ({ name, bytes, sha256 }))
      return () => {
        updateImport(db, { ...facts, files: filesOf(plan.planOf(result.fetched)) })
        const { owner, subject, input } = job
        jobs.enqueue(firstKind(input.form), { workspaceId, owner, subject, input: { ...input, files } })
      }
    },
    ended,
    retried: job => reopenImport(db, importOf(job).facts, timestamp(clock)),
  }
  const fetchingMedia: JobHandler<ImportInput> = {
    kind: 'catalog_import_media',
    input: ImportInput,
    ...mediaLane,
    run: async job => {
      const { facts, workspaceId } = importOf(job)
      const { owner, subject, input } = job
      const remote = { allowed: input.form.fetch_media ?? {}, folder: null }
      const plan = planOf(workspaceId, facts.id, input)
      const addresses = await mediaToFetch(kernel, needs, job, { ...plan.order, workspaceId, remote }, plan, facts)
      const publish = (now: FetchProgress) => {
        downloads.set(facts.id, now)
        job.progress({ done: now.file_number - 1, total: now.file_count, message: 'Downloading media' })
      }
      await keptDownloads.adopt(workspaceId, mediaFolder(facts.id), addresses, job.signal)
      await fetchMedia(addresses, mediaFolder(facts.id), mediaWay(kernel, network, workspaceId), publish, job.signal)
      job.signal.throwIfAborted()
      return () => {
        updateImport(db, { ...facts, fetch: downloads.get(facts.id) ?? facts.fetch })
        jobs.enqueue('catalog_import', { workspaceId, owner, subject, input })
      }
    },
    ended,
  }
  return {
    handlers: [reading, { ...reading, kind: 'catalog_import_preview' }, downloading, fetchingMedia],
    downloadOf: id => downloads.get(id) ?? null,
  }
}
