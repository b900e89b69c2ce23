import { eachOf, LogError } from './foreign-log.ts'
import { type ReadRow, readSampleRow, type SampleRow } from './lm-eval-row.ts'

/** A row that was not parsed yet. */
interface GivenRow {
  /** As errors call it. */
  readonly place: string
  readonly parse: () => unknown
}

/** Rows that can be used, and what is wrong with the others. */
export interface SampleRows {
  readonly rows: readonly SampleRow[]
  readonly faults: readonly LogError[]
  /** Names made up here, in order, for filters that neither the rows nor results name. */
  readonly madeUp: readonly string[]
}

/**
 * Reads rows without documents that are there again under one filter, as in files that were put together. Releases before 0.4.4 write
 * no filter: the n-th row of each document is of the n-th filter, unless the rows are too few for all filters and only say the same again.
 * @param filters of the task as its results name them; none where they are not known
 */
export function readSampleRows(given: readonly GivenRow[], filters: readonly string[]): SampleRows {
  const read = eachOf(given, ({ place, parse }) => ({ place, row: readSampleRow(parse(), place) }))
  const documents = Map.groupBy(read.found, ({ row }) => row.docId)
  const isNamed = read.found.some(({ row }) => row.filter !== null)
  const alike = unnamedFilters(
    [...documents.values()].map(of => of.map(({ row }) => ({ answers: row.resps, made: [row.filtered, [...row.values]] }))),
  )
  const fits = alike.length > 0 || [...documents.values()].every(of => of.length % filters.length === 0)
  const madeUp = isNamed || filters.length > 0 ? [] : alike
  const names = isNamed || !fits ? [] : [...filters, ...madeUp]
  const most = [...documents.values()].reduce((highest, of) => Math.max(highest, of.length), 0)
  const counts = new Map<ReadRow['docId'], number>()
  const seen = new Set<string>()
  const settled = eachOf(read.found, ({ place, row }): SampleRow => {
    const { docId } = row
    const before = counts.get(docId) ?? 0
    counts.set(docId, before + 1)
    const all = documents.get(docId)?.length ?? 0
    const expected = Math.min(most, names.length)
    if (all < expected)
      throw new LogError(`${place} the document ${docId} has ${all} of ${expected} rows, and none of them names its filter`)
    const filter = row.filter ?? names[before % names.length] ?? 'none'
    const key = JSON.stringify([docId, filter])
    if (seen.has(key)) throw new LogError(`${place} the document ${docId} is there again under the filter "${filter}"; the first is read`)
    seen.add(key)
    return { ...row, filter }
  })
  return { rows: settled.found, faults: [...read.faults, ...settled.faults], madeUp }
}

/**
 * Names for filters that rows do not name: documents are there several times with the same answers of which something else was made. None
 * where that is not so.
 * @param documents the rows of each: the answers, and what was made of them
 */
export function unnamedFilters(documents: readonly (readonly { readonly answers: unknown; readonly made: unknown }[])[]): string[] {
  const isSame = (part: 'answers' | 'made'): boolean =>
    documents.every(([first, ...others]) => others.every(row => JSON.stringify(row[part]) === JSON.stringify(first?.[part])))
  if (!isSame('answers') || isSame('made')) return []
  const most = documents.reduce((highest, of) => Math.max(highest, of.length), 0)
  return Array.from({ length: most }, (_, i) => `filter-${i + 1}`)
}
