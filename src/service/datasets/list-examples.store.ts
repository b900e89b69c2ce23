import { type RawBuilder, sql } from 'kysely'
import type { ExampleFilter } from '../../contract/datasets/examples.schemas.ts'
import {
  type ExampleContent,
  parseContent,
  searchedCharacters,
  searchQuery,
  searchScope,
} from '../../engine/content/datasets/example-content.ts'
import { parseTextQuery } from '../../lib/text-query.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { ExactQuestion } from '../../storage/reads/exact-examples.ts'
import { countOf, type DatasetRow } from './datasets.store.ts'
import { selectExamples, toExample } from './examples.store.ts'
import { labelsOf } from './labels.store.ts'

/** Characters of contents in one page. */
const pageCharacters = 8 * 1024 * 1024

export interface ExamplesQuery extends ExampleFilter, PageQuery {
  readonly sort: 'added' | '-added'
}

/** What a thread is to find before a list is narrowed; null for a filter without an exact text. */
export function exactQuestion({ no: datasetNo }: DatasetRow, { q, match }: ExampleFilter): ExactQuestion | null {
  const query = parseTextQuery(q, match)
  if (query?.kind !== 'exact') return null
  return { datasetNo, text: query.text, match: searchQuery(searchScope(datasetNo), query), indexed: searchedCharacters }
}

/** @param exact numbers of the examples that answer `exactQuestion`; null where it asks nothing */
export function listExamples(
  db: Database,
  dataset: DatasetRow,
  { cursor, limit, ...filters }: ExamplesQuery,
  exact: readonly number[] | null,
) {
  const listing: Listing = { endpoint: 'listExamples', filters: { dataset: dataset.id, ...filters } }
  const ascending = filters.sort === 'added'
  let select = selectExamples(db, dataset.no)
    .innerJoin('dataset_revisions as r', join => join.onRef('r.example_no', '=', 'e.no').onRef('r.revision', '=', 'e.revision'))
    .select(e => ['r.no as revision_no', e.fn<number>('length', ['r.content']).as('characters')])
    .orderBy('e.no', ascending ? 'asc' : 'desc')
    .limit(limit + 1)
  if (cursor) select = select.where('e.no', ascending ? '>' : '<', Number(decodeCursor(listing, cursor, 1)[0]))
  for (const condition of conditionsOf(db, dataset, filters, exact)) select = select.where(condition)
  const rows = db.all(select)
  let characters = 0
  const fitting = rows.findIndex((row, i) => (characters += row.characters) > pageCharacters && i > 0)
  const shown = fitting === -1 ? limit : Math.min(limit, fitting)
  const contents = contentsOf(
    db,
    rows.slice(0, shown).map(row => row.revision_no),
  )
  const labels = labelsOf(db, rows.slice(0, shown))
  return toPage(
    rows,
    shown,
    listing,
    row => [row.no],
    row => ({
      ...toExample(dataset, row, contents.get(row.revision_no) ?? missing(row.id)),
      labels: labels.get(row.no) ?? [],
    }),
  )
}

function conditionsOf(
  db: Database,
  dataset: DatasetRow,
  filters: ExampleFilter,
  exact: readonly number[] | null,
): readonly RawBuilder<boolean>[] {
  const facets = facetsOf(db, dataset, filters).map(({ column, value, isRarest }) => {
    const stored = sql.ref(`e.${column}`)
    // The plus keeps the planner, which knows no frequencies, from using the index of a value that many examples have.
    return isRarest ? sql<boolean>`${stored} = ${value}` : sql<boolean>`+${stored} = ${value}`
  })
  if (exact !== null) return [...facets, sql<boolean>`e.no in (select value from json_each(${JSON.stringify(exact)}))`]
  const query = parseTextQuery(filters.q, filters.match)
  if (query === null) return facets
  const match = searchQuery(searchScope(dataset.no), query)
  const words = sql<boolean>`e.no in (select rowid from dataset_search where dataset_search match ${match})`
  return [...facets, words]
}

/** Every example that a list narrowed so has, in the order added. */
export function matchingExamples(db: Database, dataset: DatasetRow, filter: ExampleFilter, exact: readonly number[] | null) {
  let select = selectExamples(db, dataset.no).orderBy('e.no')
  for (const condition of conditionsOf(db, dataset, filter, exact)) select = select.where(condition)
  return db.all(select).map(({ id, revision, review_state, label_state }) => ({ id, revision, review_state, label_state }))
}

/** Filters by a value, each with an index; the one that fewest examples have comes with the mark that its index is to be used. */
function facetsOf(db: Database, dataset: DatasetRow, filters: ExampleFilter) {
  const { review_state: review, origin, label_state: state, label } = filters
  const facets = [
    ...(review === undefined ? [] : [{ facet: 'review', column: 'review_state', value: review } as const]),
    ...(origin === undefined ? [] : [{ facet: 'origin', column: 'origin_kind', value: origin } as const]),
    ...(state === undefined ? [] : [{ facet: 'label_state', column: 'label_state', value: state } as const]),
    ...(label === undefined ? [] : [{ facet: 'label', column: 'label', value: labelText(dataset, label) } as const]),
  ].map(one => ({ ...one, examples: countOf(db, dataset.no, one.facet, one.value) }))
  const fewest = Math.min(...facets.map(({ examples }) => examples))
  const rarest = facets.find(({ examples }) => examples === fewest)
  return facets.map(one => ({ ...one, isRarest: one === rarest }))
}

function contentsOf(db: Database, revisionNos: readonly number[]): Map<number, ExampleContent> {
  if (revisionNos.length === 0) return new Map()
  const rows = db.all(db.sql.selectFrom('dataset_revisions').select(['no', 'content']).where('no', 'in', revisionNos))
  return new Map(rows.map(row => [row.no, parseContent(row.content)]))
}

function missing(id: string): never {
  throw new Error(`The current revision of example ${id} is missing.`)
}

/** How a consensus is stored. */
function labelText({ menu }: DatasetRow, label: string): string {
  return JSON.stringify(menu === null && Number.isFinite(Number(label)) ? Number(label) : label)
}
