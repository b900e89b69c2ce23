import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import {
  type Evidence,
  type EvidenceAnalysis,
  EvidenceForm,
  type EvidencePreview,
  type NewEvidence,
  type NewEvidenceAnalysis,
} from '../../contract/releases/evidence.schemas.ts'
import { evidenceEndpoints } from '../../contract/releases/evidence.endpoints.ts'
import type { Workers } from '../../workers/pool.ts'
import { receiveUpload } from '../catalog/index.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { operatorOf, withIdempotency } from '../http/idempotency.ts'
import { parsePart } from '../http/parse-input.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { byOf } from './by.ts'
import {
  findAnalysis,
  findEvidence,
  findSameEvidence,
  insertAnalysis,
  insertEvidence,
  listAnalysisTasks,
  listEvidence,
  toEvidence,
} from './evidence.store.ts'

export type ReleaseEvidence = ReturnType<typeof createReleaseEvidence>
type Context = Pick<WorkspaceContext, 'workspaceId' | 'principal' | 'idempotencyKey' | 'markReplayed' | 'signal'>
type Received = Pick<NewEvidence, 'name' | 'format' | 'source' | 'produced_at' | 'statement'>

/** Evidence from other tools: its bytes, kept as they came, and what they say of a suite. */
export function createReleaseEvidence(
  kernel: Kernel,
  {
    workers,
    suites,
  }: { readonly workers: Pick<Workers, 'analyzeEvidence'>; readonly suites: { read(workspaceId: string, id: string): unknown } },
) {
  const { db, ids, clock, config } = kernel

  const rowOf = (workspaceId: string, id: string) => requireFound(findEvidence(db, workspaceId, id), 'evidence', id)
  const analysisOf = (workspaceId: string, id: string, n: number) =>
    requireFound(findAnalysis(db, rowOf(workspaceId, id).no, n), 'analysis', `${id}/${n}`)
  const read = (workspaceId: string, id: string): Evidence => toEvidence(rowOf(workspaceId, id))
  /** Keeps bytes, or finds the evidence that they are already. */
  const keep = ({ workspaceId, principal }: Context, received: Received, content: Buffer, sha256: string): string =>
    db.transaction(() => {
      const same = findSameEvidence(db, workspaceId, sha256, received.format)
      if (same !== null) return same
      const id = ids.next()
      insertEvidence(db, {
        id,
        workspaceId,
        name: received.name,
        format: received.format,
        source: received.source,
        produced_at: received.produced_at ?? null,
        statement: received.statement ?? null,
        sha256,
        content,
        by: byOf(principal),
        createdAt: timestamp(clock),
      })
      return id
    })

  const analysisFor = async (
    { workspaceId, signal }: Pick<Context, 'workspaceId' | 'signal'>,
    id: string,
    { suite_version_id, side, mapping }: NewEvidenceAnalysis,
  ) => {
    const row = rowOf(workspaceId, id)
    const suiteVersionId = suite_version_id?.toLowerCase() ?? null
    if (suiteVersionId !== null) suites.read(workspaceId, suiteVersionId)
    const answer = await workers.analyzeEvidence({ evidenceId: row.id, suiteVersionId, mapping }, signal)
    if (!answer.ok)
      throw new ApiError('validation_error', `"${row.name}" cannot be read as ${row.format}. ${answer.message}`, {
        detail: [{ loc: ['body', 'mapping'], msg: answer.message, type: 'unreadable_evidence' }],
      })
    const { ok: _, ...figures } = answer
    return { suite_version_id: suiteVersionId, side, mapping, ...figures }
  }

  return {
    read,
    list: (workspaceId: string, limit: number, before: string | null) => listEvidence(db, workspaceId, limit, before),
    createFromJson: (context: Context, { content, content_base64, ...received }: NewEvidence): Evidence => {
      const bytes =
        content_base64 === undefined
          ? Buffer.from(content ?? JSON.stringify(received.statement), 'utf8')
          : Buffer.from(content_base64, 'base64')
      return read(context.workspaceId, keep(context, received, bytes, sha256Of(bytes)))
    },
    createFromForm: async (context: Context, parts: AsyncIterable<UploadPart>): Promise<Evidence> => {
      const folder = join(config.dataDir, 'uploads', randomUUID())
      try {
        const { fields, files } = await receiveUpload(parts, folder, evidenceEndpoints.createEvidence.maxBody)
        const form = parseForm(fields)
        const [file] = files
        if (!file || files.length > 1) throw invalidField(['body', 'file'], `must be one file; ${files.length} files were sent`)
        if (file.bytes === 0) throw invalidField(['body', 'file'], 'is empty')
        const content = await readFile(file.path)
        const store = () => keep(context, form, content, file.sha256)
        if (context.idempotencyKey === null) return read(context.workspaceId, store())
        const operation = {
          principalId: operatorOf(context.principal),
          operation: `createEvidence ${context.workspaceId}`,
          key: context.idempotencyKey,
          body: [fields, file.sha256],
        }
        const answer = await withIdempotency(kernel, operation, store)
        if (answer.replayed) context.markReplayed()
        return read(context.workspaceId, String(JSON.parse(answer.body)))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    preview: async (context: Context, id: string, body: NewEvidenceAnalysis): Promise<EvidencePreview> => {
      const { chunks: _, ...found } = await analysisFor(context, id, body)
      return found
    },
    analyze: async (context: Context, id: string, body: NewEvidenceAnalysis): Promise<EvidenceAnalysis> => {
      const { no, id: evidence_id } = rowOf(context.workspaceId, id)
      const { chunks, ...found } = await analysisFor(context, id, body)
      const analysis = { evidence_id, ...found, by: byOf(context.principal), created_at: timestamp(clock) }
      return insertAnalysis(db, no, analysis, chunks)
    },
    analysis: (workspaceId: string, id: string, n: number): EvidenceAnalysis => analysisOf(workspaceId, id, n).analysis,
    tasks: (workspaceId: string, id: string, n: number, query: Parameters<typeof listAnalysisTasks>[2]) =>
      listAnalysisTasks(db, analysisOf(workspaceId, id, n), query),
  }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function parseForm({ source, ...texts }: Readonly<Record<string, string>>): EvidenceForm {
  let parsed: unknown
  try {
    parsed = source === undefined ? undefined : JSON.parse(source)
  } catch {
    throw invalidField(['body', 'source'], 'is not valid JSON')
  }
  // The schema that parsed it is the one that the type was inferred from.
  return parsePart(EvidenceForm, { ...texts, ...(parsed === undefined ? {} : { source: parsed }) }, 'body') as EvidenceForm
}
