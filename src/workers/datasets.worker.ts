import type { ScanKind } from '../contract/datasets/dataset-imports.schemas.ts'
import type { Agreement, DatasetTask as LabelTask } from '../contract/datasets/datasets.schemas.ts'
import { annotatorAgreement } from '../engine/reporting/datasets/annotator-agreement.ts'
import { scanExamples, type ScanReport } from '../engine/reporting/datasets/scan-examples.ts'
import { exactExamples, type ExactQuestion } from '../storage/reads/exact-examples.ts'
import { currentExamples } from '../storage/reads/current-examples.ts'
import { readDatasetLabels } from '../storage/reads/dataset-labels.ts'
import { type DiffAnswer, type DiffQuestion, readVersionDiff } from '../storage/reads/version-diff.ts'
import { openReader } from './database-path.ts'

export type DatasetTask =
  | { readonly kind: 'agreement'; readonly datasetNo: number; readonly task: LabelTask }
  | ({ readonly kind: 'diff' } & DiffQuestion)
  | ({ readonly kind: 'find' } & ExactQuestion)
  | { readonly kind: 'scan'; readonly datasetNo: number; readonly kinds: readonly ScanKind[] }

interface Answers {
  readonly agreement: Agreement | null
  readonly diff: DiffAnswer
  readonly find: readonly number[]
  readonly scan: ScanReport
}

export type DatasetAnswer<Task extends DatasetTask> = Answers[Task['kind']]

/** Answers what needs a look at every example of a dataset or version. */
export default function readDataset(task: DatasetTask): Answers[keyof Answers] {
  const db = openReader()
  try {
    switch (task.kind) {
      case 'agreement':
        return annotatorAgreement(readDatasetLabels(db, task.datasetNo), task.task)
      case 'diff':
        return readVersionDiff(db, task)
      case 'find':
        return exactExamples(db, task)
      case 'scan':
        return scanExamples(currentExamples(db, task.datasetNo), task.kinds)
    }
  } finally {
    db.close()
  }
}
