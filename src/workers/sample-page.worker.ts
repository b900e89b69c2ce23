import { type SampleGroup, sampleGroups, type SampleGroups } from '../contract/runs/samples.schemas.ts'
import { parseTextQuery, type TextQuery } from '../lib/text-query.ts'
import type { Database } from '../storage/database.ts'
import { extendSampleIndex, type SampleHits, searchSampleIndex } from '../storage/reads/sample-index.ts'
import { readSampleGroups } from '../storage/reads/sample-groups.ts'
import { listSamples, type RunOfSamples, type SamplesQuery } from '../storage/reads/sample-list.ts'
import { findSamplePage, type FoundPage, readOutcomes, type SamplePageQuestion, type SampleSearch } from '../storage/reads/sample-page.ts'
import { readSampleNotes, scanNotedSamples, scanSamples } from '../storage/reads/searched-texts.ts'
import { databasePath, openReader } from './database-path.ts'

/** What has to look at all samples of a run: a page of them, one letter for each, or a piece of the index that searches read. */
export type SamplesTask =
  /** `index`: file of the run's search index; null, or one that cannot be read: the samples themselves are searched. */
  | { readonly kind: 'page'; readonly question: SamplePageQuestion; readonly index: string | null }
  /** The page with all that a list shows, as JSON. */
  | { readonly kind: 'list'; readonly run: RunOfSamples; readonly query: SamplesQuery; readonly index: string | null }
  | { readonly kind: 'outcomes'; readonly runNo: number }
  | { readonly kind: 'groups'; readonly runNo: number; readonly primaries: readonly number[] }
  /** Answers the position to continue after; null when the index is whole. */
  | { readonly kind: 'index'; readonly runNo: number; readonly path: string; readonly after: number }

export type SamplesAnswer<Task extends SamplesTask> = Task extends { readonly kind: 'page' }
  ? FoundPage
  : Task extends { readonly kind: 'outcomes' | 'list' }
    ? string
    : Task extends { readonly kind: 'groups' }
      ? SampleGroups['groups']
      : number | null

/** Kept for pages without a search, which opening a connection and preparing its statements would take thrice as long. */
let kept: Database | null = null

export default function samples(task: SamplesTask): FoundPage | string | number | null | SampleGroups['groups'] {
  if (task.kind === 'list' && task.query.q.trim() === '') return writeList(keptReader(), task)
  const db = openReader()
  try {
    switch (task.kind) {
      case 'page':
        return findPage(db, task.question, task.index)
      case 'list':
        return writeList(db, task)
      case 'outcomes':
        return readOutcomes(db, task.runNo)
      case 'groups':
        return countGroups(db, task.runNo, task.primaries)
      case 'index':
        return extendSampleIndex(db, task.runNo, task.path, task.after)
    }
  } finally {
    db.close()
  }
}

function keptReader(): Database {
  if (kept?.path !== databasePath()) {
    kept?.close()
    kept = openReader()
  }
  return kept
}

function writeList(db: Database, { run, query, index }: Extract<SamplesTask, { kind: 'list' }>): string {
  return JSON.stringify(listSamples(db, run, query, question => findPage(db, question, index)))
}

function countGroups(db: Database, runNo: number, primaries: readonly number[]): SampleGroups['groups'] {
  const counts = new Map<string, SampleGroups['groups'][number]>()
  for (const { group, code } of readSampleGroups(db, runNo, primaries)) {
    const key = `${group} ${code}`
    counts.set(key, { group, code, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const order = (group: SampleGroup): number => sampleGroups.indexOf(group)
  return [...counts.values()].toSorted((a, b) => order(a.group) - order(b.group) || b.count - a.count)
}

function findPage(db: Database, question: SamplePageQuestion, index: string | null): FoundPage {
  const query = parseTextQuery(question.q, question.match)
  if (query === null) return { ...findSamplePage(db, { ...question, q: '' }), searchedBy: null }
  const found = index === null ? null : searchIndexed(db, question.runNo, index, query)
  if (found !== null) {
    try {
      return { ...findSamplePage(db, question, found), searchedBy: 'index' }
    } catch {
      // A damaged index says nothing: the samples themselves are searched.
    }
  }
  const hits: SampleHits = { kind: 'positions', positions: scanSamples(db, question.runNo, query) }
  return { ...findSamplePage(db, question, { hits, noted: new Map() }), searchedBy: 'scan' }
}

/** Null where the index cannot be read. */
function searchIndexed(db: Database, runNo: number, index: string, query: TextQuery): SampleSearch | null {
  try {
    const hits = searchSampleIndex(db, index, query)
    const notes = readSampleNotes(db, runNo)
    const matching = new Set(scanNotedSamples(db, runNo, query, notes))
    return { hits, noted: new Map([...notes.keys()].map(position => [position, matching.has(position)])) }
  } catch {
    return null
  }
}
