import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatasetVersion, FrozenExample, NewDatasetVersion, VersionDiff } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Agreement } from '../../contract/datasets/datasets.schemas.ts'
import { ApiError, notFound } from '../../contract/errors.ts'
import { eachFrozenExample, frozenExample, frozenExamples } from '../../storage/reads/frozen-examples.ts'
import { type Need, versionNeeds } from '../../storage/reads/version-needs.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type Actor, byActor } from './actor.ts'
import { type DatasetRow, findDataset, touchDataset } from './datasets.store.ts'
import type { Examples } from './examples.service.ts'
import {
  type ApprovedRow,
  approvedExamples,
  beginVersion,
  countTied,
  describeVersion,
  dropVersion,
  findVersion,
  freezeExamples,
  listVersions,
  previousVersion,
  sealVersion,
  unsealedVersions,
  type VersionRow,
} from './versions.store.ts'

/** Examples frozen between two looks at other requests: a few milliseconds. */
const batch = 1000

/** @param agreementOf how far annotators of a dataset agree */
export function createDatasetVersions(
  { db, ids, clock, log }: Pick<Kernel, 'db' | 'ids' | 'clock' | 'log'>,
  examples: Examples,
  workers: Pick<Workers, 'datasets'>,
  agreementOf: (dataset: DatasetRow) => Promise<Agreement | null>,
) {
  const found = (workspaceId: string, id: string): { row: VersionRow; dataset: DatasetRow } => {
    const row = findVersion(db, workspaceId, id)
    const dataset = row && findDataset(db, workspaceId, row.datasetId)
    if (!row || !dataset) throw notFound('dataset version', id)
    return { row, dataset }
  }
  const read = (workspaceId: string, id: string): DatasetVersion => {
    const { row, dataset } = found(workspaceId, id)
    return describeVersion(dataset, row)
  }
  /** A version under the dataset that the path names. */
  const ofDataset = (workspaceId: string, datasetId: string, id: string): { row: VersionRow; dataset: DatasetRow } => {
    const { row, dataset } = found(workspaceId, id)
    if (dataset.id !== examples.dataset(workspaceId, datasetId).id) throw notFound('dataset version', id)
    return { row, dataset }
  }

  return {
    /** Any version of the workspace, by its id alone. @throws ApiError not_found */
    read,
    readOf: (workspaceId: string, datasetId: string, id: string): DatasetVersion => {
      const { row, dataset } = ofDataset(workspaceId, datasetId, id)
      return describeVersion(dataset, row)
    },
    list: (workspaceId: string, datasetId: string, query: PageQuery) => listVersions(db, examples.dataset(workspaceId, datasetId), query),

    /** Removes what a stop has left half frozen. */
    removeUnsealed: (): void => {
      for (const no of unsealedVersions(db)) dropVersion(db, no)
    },

    /** Freezes the approved examples. Other requests are answered meanwhile: each example is frozen as it is when its batch is read. */
    create: async (actor: Actor, workspaceId: string, datasetId: string, { name, filter }: NewDatasetVersion): Promise<DatasetVersion> => {
      const dataset = examples.writable(workspaceId, datasetId)
      if (approvedExamples(db, dataset.no, filter, 0, 1).length === 0) {
        throw new ApiError(
          'conflict',
          'A version freezes approved examples, and no example that fits the filter is approved. Approve at least one first.',
        )
      }
      const tied = countTied(db, dataset.no, filter)
      // A figure beside the version, computed while it is frozen, without which it is frozen as well.
      const alpha = agreementOf(dataset).then(
        agreement => agreement?.alpha.mean ?? null,
        (error: unknown) => {
          log.warn({ err: error, dataset_id: datasetId }, 'agreement of annotators could not be computed for a version')
          return null
        },
      )
      const id = ids.next()
      const versionNo = beginVersion(db, id, dataset.no, filter, byActor(actor), timestamp(clock))
      try {
        const hash = createHash('sha256')
        const counts = { examples: 0, labeled: 0, labeledByPeople: 0 }
        for (let after = 0; ; ) {
          const rows = approvedExamples(db, dataset.no, filter, after, batch)
          const last = rows.at(-1)
          if (!last) break
          db.transaction(() => freezeExamples(db, versionNo, rows))
          for (const row of rows) {
            hash.update(digestLine(row))
            counts.examples++
            if (row.label !== null) counts.labeled++
            if (row.label !== null && row.label_by === 'person') counts.labeledByPeople++
          }
          after = last.no
          await nextTurn()
        }
        const annotators = { alpha: await alpha, tied }
        return db.transaction(() => {
          sealVersion(db, versionNo, name, hash.digest('hex'), { ...counts, annotators })
          touchDataset(db, dataset.no, timestamp(clock), false)
          return read(workspaceId, id)
        })
      } catch (error) {
        dropVersion(db, versionNo)
        throw error
      }
    },

    /** What changed from `against` to the version. */
    diff: async (
      workspaceId: string,
      datasetId: string,
      id: string,
      { against, cursor, limit }: { against?: string | undefined; cursor?: string | undefined; limit: number },
    ): Promise<VersionDiff> => {
      const version = ofDataset(workspaceId, datasetId, id).row
      const other = against === undefined ? previousVersion(db, version) : ofDataset(workspaceId, datasetId, against).row
      const listing: Listing = { endpoint: 'diffDatasetVersions', filters: { version: version.version.id, against: other?.version.id } }
      const after = cursor ? Number(decodeCursor(listing, cursor, 1)[0]) : 0
      const { counts, rows } = await workers.datasets({ kind: 'diff', version: version.no, against: other?.no ?? 0, after, limit })
      const page = toPage(
        rows,
        limit,
        listing,
        ({ no }) => [no],
        ({ no: _, ...change }) => change,
      )
      return { against: other?.version.id ?? null, counts, ...page }
    },

    /** A page of a version's examples, in its order. */
    examplePage: (workspaceId: string, id: string, { cursor, limit }: PageQuery) => {
      const { row } = found(workspaceId, id)
      const listing: Listing = { endpoint: 'versionExamples', filters: { id: row.version.id } }
      const after = cursor ? Number(decodeCursor(listing, cursor, 1)[0]) : 0
      return toPage(
        frozenExamples(db, row.no, after, limit + 1),
        limit,
        listing,
        ({ no }) => [no],
        ({ example }) => example,
      )
    },

    /** Null where the version does not hold it. */
    example: (workspaceId: string, id: string, exampleId: string): FrozenExample | null =>
      frozenExample(db, found(workspaceId, id).row.no, exampleId),

    /** All examples of a version, some at a time. For a reader in a thread of its own there is `storage/reads/frozen-examples.ts`. */
    eachExample: (workspaceId: string, id: string, batch?: number): Generator<FrozenExample[]> =>
      eachFrozenExample(db, found(workspaceId, id).row.no, batch),

    /** What a version takes at most in an archive. */
    needs: (workspaceId: string, id: string): Generator<Need> => versionNeeds(db, found(workspaceId, id).row.no),

    /** The number by which threads read a version. */
    versionNo: (workspaceId: string, id: string): number => found(workspaceId, id).row.no,
  }
}

/** Contents and labels alone: where the examples came from, and their ids, change nothing about what a grader is measured on. */
function digestLine({ digest, label }: ApprovedRow): string {
  return `${Buffer.from(digest).toString('hex')} ${label ?? ''}\n`
}
