import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { DatasetScan, ScanKind } from '../../contract/datasets/dataset-imports.schemas.ts'
import { requireFound } from '../../contract/errors.ts'
import type { ScanFinding, ScanReport } from '../../engine/reporting/datasets/scan-examples.ts'
import type { Workers } from '../../workers/pool.ts'
import type { JobContext, JobHandler, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Actor } from './actor.ts'
import type { Examples } from './examples.service.ts'
import { ownerOf } from './run-import.ts'
import { findScan, insertScan, listScans, moveScan, type ScanFacts, setScanJob } from './scans.store.ts'
import { insertNewVerification } from './verifications.store.ts'
import type { PageQuery } from '../../storage/keyset.ts'

const ScanInput = z.strictObject({ scan_id: z.string(), dataset_no: z.int() })
type ScanInput = z.infer<typeof ScanInput>

/** Examples whose records are written between two looks at other requests. */
const step = 250
const mostListed = 1000

export function createScans(
  kernel: Kernel,
  examples: Examples,
  jobs: Pick<Jobs, 'register' | 'enqueue'>,
  workers: Pick<Workers, 'datasets'>,
) {
  const { db, ids, clock } = kernel
  jobs.register(scanJob(kernel, workers))
  const read = (workspaceId: string, datasetId: string, id: string): DatasetScan =>
    requireFound(findScan(db, examples.dataset(workspaceId, datasetId).no, id), 'scan', id)
  return {
    read,
    list: (workspaceId: string, datasetId: string, query: PageQuery) => listScans(db, examples.dataset(workspaceId, datasetId).no, query),
    create: (actor: Actor, workspaceId: string, datasetId: string, kinds: readonly ScanKind[]): DatasetScan =>
      db.transaction(() => {
        const dataset = examples.dataset(workspaceId, datasetId)
        const id = ids.next()
        insertScan(db, workspaceId, dataset.no, firstFacts(id, dataset.id, [...new Set(kinds)], timestamp(clock)))
        const input: ScanInput = { scan_id: id, dataset_no: dataset.no }
        setScanJob(
          db,
          id,
          jobs.enqueue('dataset_scan', { workspaceId, owner: ownerOf(actor), input, subject: { type: 'dataset_scan', id } }),
        )
        return read(workspaceId, datasetId, id)
      }),
  }
}

/** A scan restarts after a kill: it is idempotent, and existing records are skipped. */
function scanJob({ db, ids, clock }: Kernel, workers: Pick<Workers, 'datasets'>): JobHandler<ScanInput> {
  const scanOf = ({ scan_id, dataset_no }: ScanInput): DatasetScan => {
    const found = findScan(db, dataset_no, scan_id)
    if (!found) throw new Error(`The scan ${scan_id} is missing.`)
    return found
  }
  const factsOf = (input: ScanInput): ScanFacts => {
    const { status: _, job_id: __, ...facts } = scanOf(input)
    return facts
  }
  /** Stores the result of each kind of scan for each example. */
  const record = async (job: JobContext<ScanInput>, { scanned, findings }: ScanReport, facts: ScanFacts) => {
    const found = new Map(findings.map(finding => [`${finding.kind} ${finding.no}`, finding]))
    const by = { kind: 'service' as const, id: facts.id, name: 'Dataset scan' }
    for (let i = 0; i < scanned.length; i += step) {
      job.commit(() => {
        for (const { no, revision } of scanned.slice(i, i + step)) {
          for (const kind of facts.kinds) {
            const told = toldOf(kind, found.get(`${kind} ${no}`))
            insertNewVerification(db, { id: ids.next(), exampleNo: no, revision, by, ...told }, timestamp(clock))
          }
        }
      })
      job.progress({ done: Math.min(i + step, scanned.length), total: scanned.length, message: 'Writing records' })
      await nextTurn()
    }
  }
  return {
    kind: 'dataset_scan',
    input: ScanInput,
    lane: 'dataset-scans',
    concurrency: 1,
    run: async job => {
      const facts = factsOf(job.input)
      if (scanOf(job.input).status === 'queued') job.commit(() => moveScan(db, 'begin', facts, timestamp(clock)))
      job.progress({ done: 0, total: null, message: 'Comparing examples' })
      const report = await workers.datasets({ kind: 'scan', datasetNo: job.input.dataset_no, kinds: facts.kinds }, job.signal)
      await record(job, report, facts)
      const count = (kind: ScanKind) => report.findings.filter(finding => finding.kind === kind).length
      const done: ScanFacts = {
        ...facts,
        examples: report.scanned.length,
        duplicates: count('duplicates'),
        secrets: count('secrets'),
        findings: report.findings.slice(0, mostListed).map(({ kind, exampleId, revision, ofExampleId, similarity, fields }) => ({
          kind,
          example_id: exampleId,
          revision,
          of_example_id: ofExampleId,
          similarity,
          fields: [...fields],
        })),
      }
      return () => moveScan(db, 'succeed', { ...done, finished_at: timestamp(clock) }, timestamp(clock))
    },
    ended: ({ input }, { code, message }) =>
      moveScan(db, 'fail', { ...factsOf(input), error: { code, message }, finished_at: timestamp(clock) }, timestamp(clock)),
  }
}

function toldOf(kind: ScanKind, finding: ScanFinding | undefined) {
  if (kind === 'secrets') {
    return finding
      ? { kind: 'secret_scan' as const, outcome: 'found', detail: { fields: finding.fields } }
      : { kind: 'secret_scan' as const, outcome: 'clean', detail: {} }
  }
  if (!finding) return { kind: 'duplicate_scan' as const, outcome: 'clean', detail: {} }
  const { similarity, ofExampleId } = finding
  const outcome = similarity === 1 ? 'duplicate' : 'near_duplicate'
  return { kind: 'duplicate_scan' as const, outcome, detail: { of_example_id: ofExampleId, similarity } }
}

function firstFacts(id: string, datasetId: string, kinds: ScanKind[], now: string): ScanFacts {
  return {
    id,
    dataset_id: datasetId,
    kinds,
    examples: 0,
    duplicates: 0,
    secrets: 0,
    findings: [],
    error: null,
    created_at: now,
    finished_at: null,
  }
}
