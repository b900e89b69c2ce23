import type { DeterministicDefinition } from '../contract/evaluators/evaluator-definition.schemas.ts'
import { type LabelMenu, predictLabel } from '../engine/grading/calibration/predict-label.ts'
import { type CrossValidated, crossValidate } from '../engine/grading/drafting/cross-validate.ts'
import { draftCandidates, type DraftExample } from '../engine/grading/drafting/draft-candidates.ts'
import { prepareScorer } from '../engine/grading/scorers/registry.ts'
import { eachFrozenExample } from '../storage/reads/frozen-examples.ts'
import { databasePath, openReader } from './database-path.ts'

interface OfVersion {
  readonly versionNo: number
  readonly menu: LabelMenu
}

export type DraftTask =
  | ({ readonly kind: 'candidates' } & OfVersion)
  | ({ readonly kind: 'measure'; readonly definition: DeterministicDefinition; readonly seed: number } & OfVersion)

interface Answers {
  readonly candidates: {
    readonly definitions: DeterministicDefinition[]
    readonly labeled: number
    readonly majority: { readonly label: string; readonly share: number } | null
  }
  readonly measure: CrossValidated
}

export type DraftAnswer<Task extends DraftTask> = Answers[Task['kind']]

/** More examples than these tell candidates no better apart. */
const mostExamples = 5000

interface LabeledExample extends DraftExample {
  readonly label: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The examples of the version that was drafted last: every candidate is measured on the same. */
let kept: { readonly path: string; readonly versionNo: number; readonly examples: readonly LabeledExample[] } | null = null

export default function draft(task: DraftTask): Answers[keyof Answers] {
  const examples = labeledOf(task.versionNo)
  if (task.kind === 'candidates')
    return { definitions: draftCandidates(examples, task.menu), labeled: examples.length, majority: majorityOf(examples) }
  const { definition, menu, seed } = task
  const score = prepareScorer(definition)
  const items = examples.map(({ exampleId, label, output, targets, metadata }) => ({
    exampleId,
    label,
    prediction: predictLabel(
      score({ output: output ?? '', targets: definition.target_from === 'label' ? [label] : targets, metadata }),
      menu,
    ),
  }))
  return crossValidate(items, menu.labels, seed)
}

function labeledOf(versionNo: number): readonly LabeledExample[] {
  const path = databasePath()
  if (kept?.path === path && kept.versionNo === versionNo) return kept.examples
  const db = openReader()
  const examples: LabeledExample[] = []
  try {
    for (const batch of eachFrozenExample(db, versionNo)) {
      for (const { example_id, output, expected, label, metadata } of batch) {
        if (label === null || typeof output !== 'string') continue
        const targets =
          expected === null
            ? []
            : typeof expected === 'string'
              ? [expected]
              : Array.isArray(expected)
                ? expected
                : [JSON.stringify(expected)]
        examples.push({ exampleId: example_id, output, targets, label: String(label), metadata })
      }
      if (examples.length >= mostExamples) break
    }
  } finally {
    db.close()
  }
  kept = { path, versionNo, examples: examples.slice(0, mostExamples) }
  return kept.examples
}

function majorityOf(examples: readonly LabeledExample[]): Answers['candidates']['majority'] {
  const counts = new Map<string, number>()
  for (const { label } of examples) counts.set(label, (counts.get(label) ?? 0) + 1)
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  return first ? { label: first[0], share: first[1] / examples.length } : null
}
