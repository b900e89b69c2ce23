import type { Agreement, DatasetTask as LabelTask } from '../contract/index.ts'
import { annotatorAgreement } from '../engine/reporting/datasets/annotator-agreement.ts'
import { openDatabase } from '../storage/database.ts'
import { readDatasetLabels } from '../storage/reads/dataset-labels.ts'
import { type DiffAnswer, type DiffQuestion, readVersionDiff } from '../storage/reads/version-diff.ts'
import { databasePath } from './database-path.ts'

export type DatasetTask =
  | { readonly kind: 'agreement'; readonly datasetNo: number; readonly task: LabelTask }
  | ({ readonly kind: 'diff' } & DiffQuestion)

interface Answers {
  readonly agreement: Agreement | null
  readonly diff: DiffAnswer
}

export type DatasetAnswer<Task extends DatasetTask> = Answers[Task['kind']]

/** Answers what needs a look at every example of a dataset or version. */
export default function readDataset(task: DatasetTask): Answers[keyof Answers] {
  const db = openDatabase(databasePath(), { readonly: true })
  try {
    switch (task.kind) {
      case 'agreement':
        return annotatorAgreement(readDatasetLabels(db, task.datasetNo), task.task)
      case 'diff':
        return readVersionDiff(db, task)
    }
  } finally {
    db.close()
  }
}
