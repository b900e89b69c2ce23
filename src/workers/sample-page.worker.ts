import { findSamplePage, readOutcomes, type SamplePage, type SamplePageQuestion } from '../storage/reads/sample-page.ts'
import { readSearchedTexts } from '../storage/reads/searched-texts.ts'
import { openReader } from './database-path.ts'
import { searchTextFile, writeTextFile } from './text-file.ts'

/** What has to look at all samples of a run: a page of them, one letter for each, or the file that searches read. */
export type SamplesTask =
  /** `texts`: file of the run's texts; null, or one that is not there any more: the samples themselves are searched. */
  | { readonly kind: 'page'; readonly question: SamplePageQuestion; readonly texts: string | null }
  | { readonly kind: 'outcomes'; readonly runNo: number }
  | { readonly kind: 'texts'; readonly runNo: number; readonly path: string }

export type SamplesAnswer<Task extends SamplesTask> = Task extends { readonly kind: 'page' }
  ? SamplePage
  : Task extends { readonly kind: 'outcomes' }
    ? string
    : null

export default function samples(task: SamplesTask): SamplePage | string | null {
  const db = openReader()
  try {
    switch (task.kind) {
      case 'page': {
        const { question, texts } = task
        return findSamplePage(db, question, texts === null || question.q === '' ? null : searchTextFile(texts, question.q))
      }
      case 'outcomes':
        return readOutcomes(db, task.runNo)
      case 'texts':
        writeTextFile(task.path, readSearchedTexts(db, task.runNo))
        return null
    }
  } finally {
    db.close()
  }
}
