import { openDatabase } from '../storage/database.ts'
import { findSamplePage, readOutcomes, type SamplePage, type SamplePageQuestion } from '../storage/reads/sample-page.ts'
import { databasePath } from './database-path.ts'

/** What has to look at all samples of a run: a page of them, or one letter for each. */
export type SamplesTask =
  | { readonly kind: 'page'; readonly question: SamplePageQuestion }
  | { readonly kind: 'outcomes'; readonly runNo: number }

export type SamplesAnswer<Task extends SamplesTask> = Task extends { readonly kind: 'page' } ? SamplePage : string

export default function samples(task: SamplesTask): SamplePage | string {
  const db = openDatabase(databasePath(), { readonly: true })
  try {
    return task.kind === 'page' ? findSamplePage(db, task.question) : readOutcomes(db, task.runNo)
  } finally {
    db.close()
  }
}
