import { z } from 'zod'
import { exampleContent } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../database.ts'

const Content = z.strictObject(exampleContent)

/** The current revision of every visible example, in order. */
export function* currentExamples(db: Database, datasetNo: number) {
  const rows = db.iterate(
    db.sql
      .selectFrom('dataset_examples as e')
      .innerJoin('dataset_revisions as r', join => join.onRef('r.example_no', '=', 'e.no').onRef('r.revision', '=', 'e.revision'))
      .select(['e.no', 'e.id', 'e.revision', 'r.content'])
      .where('e.dataset_no', '=', datasetNo)
      .where('e.import_no', 'is', null)
      .orderBy('e.no'),
  )
  for (const { content, ...row } of rows) yield { ...row, content: Content.parse(JSON.parse(content)) }
}
