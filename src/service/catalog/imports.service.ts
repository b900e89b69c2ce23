import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportRecord, notFound } from '../../contract/index.ts'
import { catalogEndpoints } from '../../contract/catalog/catalog.endpoints.ts'
import type { Workers } from '../../workers/pool.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { carryOutImport } from './carry-out-import.ts'
import { endImport, findImport, type ImportFacts, insertImport, unfinishedImports } from './imports.store.ts'
import { type ImportPlan, parseForm, planImport } from './plan-import.ts'
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

/** Imports run one after the other: two of the same benchmark never meet, and a large one leaves the machine room for runs. */
export function createImports(kernel: Kernel, workers: Pick<Workers, 'readImport'>): Imports {
  const { db, ids, clock, config } = kernel
  const uploads = join(config.dataDir, 'uploads')
  const stop = new AbortController()
  let queue: Promise<void> = Promise.resolve()
  endUnfinished(kernel)
  rmSync(uploads, { recursive: true, force: true })

  const read = (workspaceId: string, id: string): ImportRecord => {
    const found = findImport(db, workspaceId, id)
    if (!found) throw notFound('import', id)
    return found
  }

  const begin = (workspaceId: string, folder: string, plan: ImportPlan): ImportRecord => {
    const facts = firstFacts(ids.next(), timestamp(clock), plan)
    insertImport(db, workspaceId, facts)
    queue = queue.then(() => carryOut(kernel, workers, { workspaceId, folder, plan, facts }, stop.signal))
    return read(workspaceId, facts.id)
  }

  return {
    read,
    create: async ({ workspaceId, principal, idempotencyKey }, parts) => {
      const folder = join(uploads, ids.next())
      let kept = false
      try {
        const { fields, files } = await receiveUpload(parts, folder, catalogEndpoints.createImport.maxBody)
        const plan = planImport(parseForm(fields), files)
        const start = () => {
          kept = true
          return begin(workspaceId, folder, plan)
        }
        if (idempotencyKey === null) return start()
        const body = { fields, files: files.map(({ name, sha256 }) => ({ name, sha256 })) }
        const answer = await withIdempotency(
          kernel,
          { principalId: principal.id, operation: `createImport ${workspaceId}`, key: idempotencyKey, body },
          () => start().id,
        )
        return read(workspaceId, String(JSON.parse(answer.body)))
      } finally {
        if (!kept) rmSync(folder, { recursive: true, force: true })
      }
    },
    close: async () => {
      stop.abort()
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

/** Never rejects: whatever goes wrong ends the import, and what a stop or a full disk leaves without an end gets it at the next start. */
async function carryOut(
  kernel: Kernel,
  workers: Pick<Workers, 'readImport'>,
  { workspaceId, folder, plan, facts }: QueuedImport,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  try {
    await carryOutImport(kernel, workers, workspaceId, plan, facts, signal).catch((error: unknown) => {
      if (signal.aborted) return
      kernel.log.error({ err: error, importId: facts.id }, 'import failed')
      const message = 'The import failed for a reason of this machine, not of the file; the log has it. Nothing was imported.'
      endImport(kernel.db, 'fail', withFault(facts, message), timestamp(kernel.clock))
    })
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    kernel.log.error({ err: error, importId: facts.id }, 'the end of an import could not be stored')
  }
}

function endUnfinished({ db, clock }: Kernel): void {
  for (const facts of unfinishedImports(db)) {
    endImport(
      db,
      'fail',
      withFault(facts, 'The service stopped while the import was under way. Nothing was imported; send the files again.'),
      timestamp(clock),
    )
  }
}

function withFault(facts: ImportFacts, message: string): ImportFacts {
  return { ...facts, errors: [{ file: facts.files[0]?.name ?? '', line: null, message }], error_count: 1 }
}

function firstFacts(id: string, now: string, plan: ImportPlan): ImportFacts {
  return {
    id,
    dry_run: plan.dryRun,
    recipe: plan.recipe,
    format: plan.format,
    files: plan.files.map(({ file, role }) => ({
      role,
      name: file.name,
      bytes: file.bytes,
      sha256: file.sha256,
      checksum: 'unknown_upstream' as const,
    })),
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
