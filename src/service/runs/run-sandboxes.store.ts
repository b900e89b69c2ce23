import { z } from 'zod'
import { SandboxRecord } from '../../contract/runs/results.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { RunRow } from './runs.store.ts'

const Records = z.array(SandboxRecord)

/** Where a run's code has been run so far. */
export function sandboxesOf({ sandboxes }: Pick<RunRow, 'sandboxes'>): SandboxRecord[] {
  return sandboxes === null ? [] : Records.parse(JSON.parse(sandboxes))
}

/** Adds sandboxes that the run has not used before; in the caller's transaction or by itself. */
export function noteSandboxes(db: Database, row: Pick<RunRow, 'no' | 'sandboxes'>, used: readonly SandboxRecord[]): void {
  const known = sandboxesOf(row)
  const texts = new Set(known.map(record => JSON.stringify(record)))
  const added = used.filter(record => !texts.has(JSON.stringify(record)))
  if (added.length === 0) return
  db.run(
    db.sql
      .updateTable('runs')
      .set({ sandboxes: JSON.stringify([...known, ...added]) })
      .where('no', '=', row.no),
  )
}
