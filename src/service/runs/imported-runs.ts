import type { Kernel } from '../kernel.ts'
import { timestamp } from '../kernel.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import { markDeleted } from './delete-run.store.ts'
import { createImportedCellWriter, type ImportedCell } from './imported-runs.store.ts'
import { findRunByNo, insertRun, type RunRow, runNumber, updateRun } from './runs.store.ts'
import { searchText } from './submit-run.ts'

export interface NewImportedRun {
  readonly workspaceId: string
  readonly principalId: string
  readonly name: string
  /** What it was frozen with. */
  readonly quote: StoredQuote
  /** SHA-256 over the imported files. */
  readonly digest: string
}

/** A run whose answers are being stored: hidden until `open`. */
export interface ImportedRun {
  readonly no: number
  readonly id: string
  /** The next cells, in order; in the caller's transaction. */
  add(cells: readonly ImportedCell[]): void
}

/** Runs of answers that were given elsewhere. */
export interface ImportedRuns {
  /** In the caller's transaction. */
  begin(run: NewImportedRun): ImportedRun
  /** In the caller's transaction: the run is there, and is graded once that is committed. */
  open(no: number): void
  /** Takes a run away that was not opened; in the caller's transaction. */
  drop(id: string): void
  /** Resolves when the run has ended, or the signal is aborted. */
  ended(id: string, signal: AbortSignal): Promise<void>
}

export function createImportedRuns(
  kernel: Kernel,
  ports: {
    readonly execute: (runNo: number) => void
    readonly purge: (row: RunRow) => void
    readonly ended: (runNo: number, signal: AbortSignal) => Promise<void>
  },
): ImportedRuns {
  const { db, ids, clock } = kernel
  return {
    begin: ({ workspaceId, principalId, name, quote, digest }) => {
      const id = ids.next()
      const no = insertRun(db, {
        id,
        workspaceId,
        quoteId: quote.id,
        operationKey: null,
        principalId,
        name,
        frozen: quote.counts.samples,
        maxCharge: 0n,
        held: 0n,
        providerHeld: 0n,
        search: searchText(name, quote),
        createdAt: timestamp(clock),
        maxBilled: null,
        answersDigest: digest,
      })
      const write = createImportedCellWriter(db, no)
      let next = 0
      return {
        no,
        id,
        add: cells => {
          write(cells, next, clock.now().getTime())
          next += cells.length
        },
      }
    },
    open: no => {
      updateRun(db, no, { answers: 'imported' })
      db.afterCommit(() => ports.execute(no))
    },
    drop: id => {
      const no = runNumber(db, id)
      const row = no === null ? null : findRunByNo(db, no)
      if (row?.answers !== 'importing') return
      markDeleted(db, row.no, timestamp(clock))
      ports.purge(row)
    },
    ended: async (id, signal) => {
      const no = runNumber(db, id)
      if (no !== null) await ports.ended(no, signal)
    },
  }
}
