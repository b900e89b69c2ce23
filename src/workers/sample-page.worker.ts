import { openDatabase } from '../storage/database.ts'
import { findSamplePage, type SamplePageQuestion, type SamplePlace } from '../storage/reads/sample-page.ts'
import { databasePath } from './database-path.ts'

/** Finds a page among all samples of a run. */
export default function samplePage(question: SamplePageQuestion): SamplePlace[] {
  const db = openDatabase(databasePath(), { readonly: true })
  try {
    return findSamplePage(db, question)
  } finally {
    db.close()
  }
}
