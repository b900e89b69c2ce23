import { ownBenchmark } from '../../../content/benchmarks/own-benchmark.ts'
import type { Task } from '../../../tasks/task.ts'
import { fittingId, type ForeignLog, type LogAnswer, LogError } from '../foreign-log.ts'
import { noFacts } from '../given-answer.ts'

/** An answer of another tool with its scores there. */
export interface RecordedRow {
  readonly id: string
  readonly input: string
  readonly targets: readonly string[]
  readonly model: string
  /** From 1. */
  readonly epoch: number
  /** Null: there is none, and `error` may say why. */
  readonly output: string | null
  readonly error?: string | null
  readonly scores: Readonly<Record<string, number>>
  readonly reasons?: Readonly<Record<string, string>>
}

/**
 * A log whose scores are taken as they are: nothing here follows its graders.
 * @throws LogError where it has no rows, or one task has two questions
 */
export function recordedLog(tool: string, title: string, rows: readonly RecordedRow[], warnings: readonly string[] = []): ForeignLog {
  if (rows.length === 0) throw new LogError(`The results of ${tool} have no samples.`)
  const tasks: Task[] = []
  const places = new Map<string, number>()
  const answers = rows.map((row): LogAnswer => {
    const known = places.get(row.id)
    const taskIndex = known ?? tasks.push(taskOf(row)) - 1
    if (known !== undefined && tasks[known]?.fields['input'] !== row.input)
      throw new LogError(`Two samples of ${tool} have the id "${row.id.slice(0, 100)}" and other questions. Import their files one by one.`)
    places.set(row.id, taskIndex)
    const { model, epoch, output, error = null, scores, reasons = {} } = row
    return {
      ...noFacts,
      line: null,
      taskIndex,
      profileKey: 'zero-shot',
      model,
      epoch,
      output,
      error: output === null ? error : null,
      scores,
      reasons,
    }
  })
  const names = [...new Set(answers.flatMap(({ scores }) => Object.keys(scores)))]
  return {
    title,
    tasks,
    answers,
    isGraded: false,
    counted: null,
    pairs: names.map(log => ({ log, metric: null, reason: `${tool} graded it; its score is shown as it was recorded.` })),
    warnings,
    define: (slug, name) => ({
      ...ownBenchmark(name, slug, false),
      summary: `Tasks of ${tool}, imported from its results.`,
      description: `Questions and answers of ${tool}, imported under the name "${name}" with the scores that it recorded. Nothing is graded again.`,
    }),
  }
}

function taskOf({ id, input, targets }: RecordedRow): Task {
  return { id: fittingId(id), split: 'test', fields: { input }, targets, choices: null, metadata: {}, capabilities: [], dependsOn: [] }
}
