import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetImport } from '../../contract/datasets/dataset-imports.schemas.ts'
import { invalidField, notFound } from '../../contract/errors.ts'
import { datasetSourcesEndpoints } from '../../contract/datasets/dataset-sources.endpoints.ts'
import { receiveUpload } from '../catalog/index.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { withIdempotency } from '../http/idempotency.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { actorOf } from './actor.ts'
import {
  type DatasetImportFacts,
  describeImport,
  findImportRow,
  type ImportsQuery,
  insertDatasetImport,
  listImports,
  openImports,
  setImportJob,
} from './dataset-imports.store.ts'
import type { Examples } from './examples.service.ts'
import { parseImportForm } from './parse-import-form.ts'
import { dropLeftovers, importJob, type ImportInput, type ImportNeeds, ownerOf } from './run-import.ts'

export function createDatasetImports(kernel: Kernel, examples: Examples, jobs: Pick<Jobs, 'register' | 'enqueue'>, needs: ImportNeeds) {
  const { db, ids, clock, config } = kernel
  /** Files stay until their import has ended: one that a stop interrupts continues from them. */
  const folder = join(config.dataDir, 'dataset-imports')
  const closing = new AbortController()
  let cleaning: Promise<void> = Promise.resolve()
  const handler = importJob(kernel, needs)
  for (const kind of ['dataset_import', 'dataset_import_preview'] as const)
    jobs.register({
      ...handler,
      kind,
      ended: (job, end) => {
        handler.ended?.(job, end)
        db.afterCommit(() => clean())
      },
    })
  const clean = (): void => {
    cleaning = cleaning
      .then(() => dropLeftovers(kernel, closing.signal))
      .catch((error: unknown) => kernel.log.error({ err: error }, 'examples of a failed import could not be removed'))
  }

  const read = (workspaceId: string, datasetId: string, id: string): DatasetImport => {
    const dataset = examples.dataset(workspaceId, datasetId)
    const row = findImportRow(db, id)
    if (row?.datasetNo !== dataset.no) throw notFound('import', id)
    return describeImport(row)
  }

  return {
    read,
    list: (workspaceId: string, datasetId: string, query: ImportsQuery) =>
      listImports(db, examples.dataset(workspaceId, datasetId).no, query),
    /** Removes what a stop has left: files that no import waits for, and hidden examples of imports that failed. */
    start: (): void => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const needed = new Set(openImports(db))
      for (const name of readdirSync(folder)) if (!needed.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
      clean()
    },
    close: async (): Promise<void> => {
      closing.abort()
      await cleaning
    },

    create: async (
      { workspaceId, principal, idempotencyKey }: Pick<WorkspaceContext, 'workspaceId' | 'principal' | 'idempotencyKey'>,
      datasetId: string,
      parts: AsyncIterable<UploadPart>,
    ): Promise<DatasetImport> => {
      const dataset = examples.writable(workspaceId, datasetId)
      const uploaded = join(folder, `${ids.next()}.part`)
      try {
        const { fields, files } = await receiveUpload(parts, uploaded, datasetSourcesEndpoints.createDatasetImport.maxBody)
        const form = parseImportForm(fields, dataset)
        const [file] = files
        if (!file) throw invalidField(['body', 'file'], 'Field required', 'missing')
        if (files.length > 1) throw invalidField(['body', 'file'], `takes one file; ${files.length} were sent`)
        const start = (): string => {
          const id = ids.next()
          const path = join(folder, id)
          const { name, bytes, sha256 } = file
          const facts = { ...firstFacts(id, dataset.id, timestamp(clock)), dry_run: form.dry_run, format: form.format }
          const input: ImportInput = { import_id: id, dataset_id: dataset.id, path, actor: actorOf(principal) }
          db.transaction(() => {
            insertDatasetImport(db, workspaceId, dataset.no, { ...facts, mapping: form.mapping ?? null, file: { name, bytes, sha256 } })
            const owner = ownerOf(input.actor)
            const kind = form.dry_run ? 'dataset_import_preview' : 'dataset_import'
            setImportJob(db, id, jobs.enqueue(kind, { workspaceId, owner, input, subject: { type: 'dataset_import', id } }))
            renameSync(file.path, path)
          })
          return id
        }
        if (idempotencyKey === null) return read(workspaceId, datasetId, start())
        const body = { fields, file: { name: file.name, sha256: file.sha256 } }
        const operation = `createDatasetImport ${workspaceId} ${dataset.id}`
        const answer = await withIdempotency(kernel, { principalId: principal.id, operation, key: idempotencyKey, body }, start)
        return read(workspaceId, datasetId, String(JSON.parse(answer.body)))
      } finally {
        rmSync(uploaded, { recursive: true, force: true })
      }
    },
  }
}

function firstFacts(id: string, datasetId: string, now: string): Omit<DatasetImportFacts, 'dry_run' | 'format' | 'mapping' | 'file'> {
  return {
    id,
    dataset_id: datasetId,
    rows: { read: 0, valid: 0, invalid: 0 },
    columns: [],
    sample_rows: [],
    preview: [],
    errors: [],
    error_count: 0,
    warnings: [],
    created: 0,
    duplicates: 0,
    duplicate_items: [],
    error: null,
    created_at: now,
    finished_at: null,
  }
}
