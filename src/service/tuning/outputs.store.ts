import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { changeOccurrence, type OccurrenceRow } from './occurrences.store.ts'

/** An output to grade. Everything in it is untrusted text. */
export interface WorkloadOutput {
  readonly key: string
  readonly at: string
  readonly input: string
  readonly output: string
  readonly expected: readonly string[]
  /** Outputs with the same one depend on one another; null: independent. */
  readonly cluster: string | null
}

/** Ids with other content that are named. */
const mostConflicts = 100

/** Keeps those that the monitor does not know. Of a known one that was sent with other content now, the first content counts. */
function insertOutputs(
  db: Database,
  monitorNo: number,
  occurrenceNo: number,
  outputs: readonly WorkloadOutput[],
): { readonly duplicates: number; readonly conflicts: readonly string[] } {
  const insert = db.prepare(
    `insert into tune_outputs (monitor_no, occurrence_no, key, at, input, output, expected, cluster) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (monitor_no, key) do nothing`,
  )
  const isOther = db.prepare('select 1 from tune_outputs where monitor_no = ? and key = ? and (input, output, expected) is not (?, ?, ?)')
  let duplicates = 0
  const conflicts = new Set<string>()
  for (const { key, at, input, output, expected, cluster } of outputs) {
    const texts = [input, output, JSON.stringify(expected)] as const
    if (insert.run(monitorNo, occurrenceNo, key, at, ...texts, cluster).changes > 0) continue
    duplicates++
    if (conflicts.size < mostConflicts && isOther.get(monitorNo, key, ...texts) !== undefined) conflicts.add(key.replace(/^\w+ /, ''))
  }
  return { duplicates, conflicts: [...conflicts] }
}

/** The same, with what the occurrence knows of it. */
export function keepOutputs(
  db: Database,
  monitorNo: number,
  occurrence: Pick<OccurrenceRow, 'id' | 'no'>,
  outputs: readonly WorkloadOutput[],
): void {
  const { duplicates, conflicts } = insertOutputs(db, monitorNo, occurrence.no, outputs)
  changeOccurrence(db, occurrence.id, { duplicates, conflicts: JSON.stringify(conflicts) })
}

const columns = ['no', 'key', 'at', 'input', 'output', 'expected', 'value', 'explanation'] as const
type OutputRow = ReturnType<typeof ungradedOutputs>[number]

/** The next to be graded, in the order in which they were written. */
export function ungradedOutputs(db: Database, occurrenceNo: number, limit: number) {
  return db.all(
    db.sql
      .selectFrom('tune_outputs')
      .select(columns)
      .where('occurrence_no', '=', occurrenceNo)
      .where('graded', '=', 0)
      .orderBy('at')
      .orderBy('no')
      .limit(limit),
  )
}

const Texts = z.array(z.string())

export function expectedOf({ expected }: Pick<OutputRow, 'expected'>): string[] {
  return expected === null ? [] : Texts.parse(JSON.parse(expected))
}

export function storeGrade(db: Database, no: number, value: number | null, explanation: string): void {
  db.prepare('update tune_outputs set graded = 1, value = ?, explanation = ? where no = ?').run(value, explanation, no)
}

export interface ScoredOutput {
  readonly no: number
  readonly at: string
  readonly cluster: string | null
  readonly value: number
}

/** Scored outputs of an occurrence, in the order in which they were written. */
export function scoredOutputs(db: Database, occurrenceNo: number): ScoredOutput[] {
  return db
    .all(
      db.sql
        .selectFrom('tune_outputs')
        .select(['no', 'at', 'cluster', 'value'])
        .where('occurrence_no', '=', occurrenceNo)
        .where('value', 'is not', null)
        .orderBy('at')
        .orderBy('no'),
    )
    .flatMap(({ no, at, cluster, value }) => (value === null ? [] : [{ no, at, cluster, value }]))
}

/** Clusters that the detector has a score of, by an earlier occurrence. */
export function seenClusters(db: Database, monitorNo: number, clusters: readonly string[]): ReadonlySet<string> {
  const find = db.prepare('select 1 from tune_outputs where monitor_no = ? and cluster = ? and place is not null limit 1')
  return new Set(clusters.filter(cluster => find.get(monitorNo, cluster) !== undefined))
}

const Count = z.object({ count: z.int() })

export function countOutputs(db: Database, occurrenceNo: number): number {
  return Count.parse(db.prepare('select count(*) as count from tune_outputs where occurrence_no = ?').get(occurrenceNo)).count
}

export function storePlace(db: Database, no: number, place: number): void {
  db.prepare('update tune_outputs set place = ? where no = ?').run(place, no)
}

/** The outputs of a stretch that moved the detector most. */
export function extremeOutputs(
  db: Database,
  monitorNo: number,
  { from, to }: { readonly from: number; readonly to: number },
  kind: 'regression' | 'improvement',
  limit: number,
): OutputRow[] {
  return db.all(
    db.sql
      .selectFrom('tune_outputs')
      .select(columns)
      .where('monitor_no', '=', monitorNo)
      .where('place', '>=', from)
      .where('place', '<=', to)
      .orderBy('value', kind === 'regression' ? 'asc' : 'desc')
      .orderBy('place', 'desc')
      .limit(limit),
  )
}

/** Outputs of an occurrence that graded nothing may be sent again. */
export function forgetOutputs(db: Database, occurrenceNo: number): void {
  db.prepare('delete from tune_outputs where occurrence_no = ?').run(occurrenceNo)
}
