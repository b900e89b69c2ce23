import { LabelValue } from '../../contract/datasets/examples.schemas.ts'
import type { Database } from '../database.ts'

interface Labels {
  readonly labels: { readonly annotator: string; readonly value: string | number }[]
}

/**
 * The labels of each labeled example's current revision. Labels of keys are left out where people labeled an example, as in its consensus.
 */
export function readDatasetLabels(db: Database, datasetNo: number): Labels[] {
  const rows = db.iterate(
    db.sql
      .selectFrom('dataset_examples as e')
      .innerJoin('dataset_labels as l', join => join.onRef('l.example_no', '=', 'e.no').onRef('l.revision', '=', 'e.revision'))
      .select(['e.no', 'l.annotator', 'l.value'])
      .where('e.dataset_no', '=', datasetNo)
      .where('e.import_no', 'is', null)
      .whereRef('l.maker', '=', 'e.label_by')
      .orderBy('e.no')
      .orderBy('l.no'),
  )
  const examples: Labels[] = []
  let last = 0
  for (const { no, annotator, value } of rows) {
    if (no !== last) examples.push({ labels: [] })
    last = no
    examples.at(-1)?.labels.push({ annotator, value: LabelValue.parse(JSON.parse(value)) })
  }
  return examples
}
