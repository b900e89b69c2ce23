import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportRecord, notFound } from '../../contract/index.ts'
import { catalogEndpoints } from '../../contract/catalog/catalog.endpoints.ts'
import type { Workers } from '../../workers/pool.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { operatorOf, withIdempotency } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { carryOutImport } from './carry-out-import.ts'
import { type FetchProgress, fetchRecipe } from './fetch-recipe.ts'
import { endImport, findImport, type ImportFacts, insertImport, unfinishedImports } from './imports.store.ts'
import { type FetchPlan, type ImportPlan, parseForm, planFetch, planImport } from './plan-import.ts'
import { receiveUpload } from './receive-upload.ts'

export interface Imports {
  create(
    context: Pick<WorkspaceContext, 'workspaceId' | 'principal' | 'idempotencyKey'>,
    parts: AsyncIterable<UploadPart>,
  ): Promise<ImportRecord>
  read(workspaceId: string, id: string): ImportRecord
  /** Resolves when no import is under way any more; those that were are ended by the next start. */
  close(): Promise<void>
}

/**
 * Imports run one after the other: two of the same benchmark never meet, and a large one leaves the machine room for runs. So do downloads,
 * apart from them: a slow server keeps no file of the user's waiting.
 */
export function createImports(kernel: Kernel, workers: Pick<Workers, 'readImport'>, network: Pick<NetworkLog, 'meterFor'>): Imports {
  const { db, ids, clock, config } = kernel
  const uploads = join(config.dataDir, 'uploads')
  const stop = new AbortController()
  let queue: Promise<void> = Promise.resolve()
  let downloads: Promise<void> = Promise.resolve()
  /** Of downloads under way; a record is written only at its end. */
  const progress = new Map<string, FetchProgress>()
  endUnfinished(kernel)
  rmSync(uploads, { recursive: true, force: true })

  const read = (workspaceId: string, id: string): ImportRecord => {
    const found = findImport(db, workspaceId, id)
    if (!found) throw notFound('import', id)
    return { ...found, fetch: progress.get(id) ?? found.fetch }
  }

  const enqueue = (job: QueuedImport): Promise<void> => (queue = queue.then(() => carryOut(kernel, workers, job, stop.signal)))

  const begin = (workspaceId: string, folder: string, plan: ImportPlan): ImportRecord => {
    const facts = firstFacts(ids.next(), timestamp(clock), plan)
    insertImport(db, workspaceId, facts)
    void enqueue({ workspaceId, folder, plan, facts })
    return read(workspaceId, facts.id)
  }

  const fetchThenImport = async (job: Omit<QueuedImport, 'plan'>, { wanted, planOf }: FetchPlan): Promise<void> => {
    const { workspaceId, folder, facts } = job
    const way = {
      ownOrigin: `http://127.0.0.1:${kernel.doorway().port}`,
      mirror: config.recipeMirror ?? null,
      traffic: network.meterFor(workspaceId),
      mostBytes: catalogEndpoints.createImport.maxBody,
    }
    const outcome = await settle(kernel, facts, folder, stop.signal, async () => {
      const result = await fetchRecipe(wanted, folder, way, now => progress.set(facts.id, now), stop.signal)
      if (stop.signal.aborted) return 'done'
      const fetched = { ...facts, fetch: progress.get(facts.id) ?? facts.fetch }
      if (!result.ok) {
        endImport(kernel.db, 'fail', withFault(fetched, result.message, result.file), timestamp(clock))
        return 'done'
      }
      const plan = planOf(result.fetched)
      void enqueue({ workspaceId, folder, plan, facts: { ...fetched, files: filesOf(plan) } }).then(() => progress.delete(facts.id))
      return 'goes on'
    })
    if (outcome === 'done') progress.delete(facts.id)
  }

  const beginFetch = (workspaceId: string, folder: string, plan: FetchPlan): ImportRecord => {
    const facts = firstFacts(ids.next(), timestamp(clock), plan.planOf([]), firstProgress(plan))
    insertImport(db, workspaceId, facts)
    downloads = downloads.then(() => fetchThenImport({ workspaceId, folder, facts }, plan))
    return read(workspaceId, facts.id)
  }

  return {
    read,
    create: async ({ workspaceId, principal, idempotencyKey }, parts) => {
      const folder = join(uploads, ids.next())
      let kept = false
      try {
        const { fields, files } = await receiveUpload(parts, folder, catalogEndpoints.createImport.maxBody)
        const form = parseForm(fields)
        const plan = form.fetch ? planFetch(form, files) : planImport(form, files)
        const start = () => {
          kept = true
          return 'wanted' in plan ? beginFetch(workspaceId, folder, plan) : begin(workspaceId, folder, plan)
        }
        if (idempotencyKey === null) return start()
        const body = { fields, files: files.map(({ name, sha256 }) => ({ name, sha256 })) }
        const answer = await withIdempotency(
          kernel,
          { principalId: operatorOf(principal), operation: `createImport ${workspaceId}`, key: idempotencyKey, body },
          () => start().id,
        )
        return read(workspaceId, String(JSON.parse(answer.body)))
      } finally {
        if (!kept) rmSync(folder, { recursive: true, force: true })
      }
    },
    close: async () => {
      stop.abort()
      await downloads
      await queue
    },
  }
}

interface QueuedImport {
  readonly workspaceId: string
  readonly folder: string
  readonly plan: ImportPlan
  readonly facts: ImportFacts
}

async function carryOut(
  kernel: Kernel,
  workers: Pick<Workers, 'readImport'>,
  { workspaceId, folder, plan, facts }: QueuedImport,
  signal: AbortSignal,
): Promise<void> {
  await settle(kernel, facts, folder, signal, async () => {
    await carryOutImport(kernel, workers, workspaceId, plan, facts, signal)
    return 'done'
  })
}

type Outcome = 'done' | 'goes on'

/**
 * Does a part of an import and removes its files once it is done. Never rejects: whatever goes wrong ends the import, and what a stop or a full
 * disk leaves without an end gets it at the next start.
 */
async function settle(
  kernel: Kernel,
  facts: ImportFacts,
  folder: string,
  signal: AbortSignal,
  part: () => Promise<Outcome>,
): Promise<Outcome> {
  if (signal.aborted) return 'done'
  try {
    const outcome = await part().catch((error: unknown): Outcome => {
      if (signal.aborted) return 'done'
      kernel.log.error({ err: error, importId: facts.id }, 'import failed')
      const message = 'The import failed for a reason of this machine, not of the file; the log has it. Nothing was imported.'
      endImport(kernel.db, 'fail', withFault(facts, message), timestamp(kernel.clock))
      return 'done'
    })
    if (outcome === 'done') rmSync(folder, { recursive: true, force: true })
    return outcome
  } catch (error) {
    kernel.log.error({ err: error, importId: facts.id }, 'the end of an import could not be stored')
    return 'done'
  }
}

function endUnfinished({ db, clock }: Kernel): void {
  for (const facts of unfinishedImports(db)) {
    endImport(
      db,
      'fail',
      withFault(
        facts,
        `The service stopped while the import was under way. Nothing was imported; ${facts.fetch ? 'have the files downloaded' : 'send the files'} again.`,
      ),
      timestamp(clock),
    )
  }
}

function withFault(facts: ImportFacts, message: string, file = facts.files[0]?.name ?? ''): ImportFacts {
  return { ...facts, errors: [{ file, line: null, message }], error_count: 1 }
}

function firstProgress({ wanted: [first, ...others] }: FetchPlan): FetchProgress | null {
  if (!first) return null
  const { url, fileName, download } = first
  return { url, file_name: fileName, file_number: 1, file_count: 1 + others.length, received_bytes: 0, total_bytes: download.bytes }
}

function filesOf({ files }: ImportPlan): ImportFacts['files'] {
  return files.map(({ file, role }) => ({
    role,
    name: file.name,
    bytes: file.bytes,
    sha256: file.sha256,
    checksum: 'unknown_upstream' as const,
  }))
}

function firstFacts(id: string, now: string, plan: ImportPlan, fetch: FetchProgress | null = null): ImportFacts {
  return {
    id,
    dry_run: plan.dryRun,
    recipe: plan.recipe,
    format: plan.format,
    fetch,
    files: filesOf(plan),
    rows: { read: 0, valid: 0, invalid: 0 },
    columns: [],
    preview: [],
    errors: [],
    error_count: 0,
    warnings: [...plan.warnings],
    slug: plan.slug,
    source_ref: null,
    already_present: false,
    created_at: now,
    finished_at: null,
  }
}
