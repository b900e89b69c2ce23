import type { z } from 'zod'
import { describeFirst } from '../../../../contract/describe-issue.ts'
import type { Message } from '../../../../contract/messages/messages.schemas.ts'
import { ownBenchmark } from '../../../content/benchmarks/own-benchmark.ts'
import type { Task } from '../../../tasks/task.ts'
import { taskInput } from '../../messages/read-conversation.ts'
import { eachOf, fittingId, type ForeignLog, leftOut, type LogAnswer, LogError } from '../foreign-log.ts'
import { noFacts } from '../given-answer.ts'

/** An answer of another tool with its scores there. */
export interface RecordedRow {
  readonly id: string
  readonly input: string
  /** The same as a conversation, where it is one. */
  readonly messages?: readonly Message[] | null
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

/** Rows of a file that can be read, and what is said of the others. @throws LogError where none can */
export function rowsIn<Row>(
  schema: z.ZodType<Row>,
  values: readonly unknown[],
  name: string,
  what: string,
): { readonly rows: readonly Row[]; readonly left: readonly string[] } {
  const { found, faults } = eachOf(
    values.map((value, i) => ({ value, place: i + 1 })),
    ({ value, place }) => {
      const parsed = schema.safeParse(value)
      if (parsed.success) return parsed.data
      throw new LogError(`"${name}", ${what} ${place}, cannot be read: ${describeFirst(parsed.error.issues, 'it')}.`)
    },
  )
  if (found.length === 0 && faults[0]) throw faults[0]
  return { rows: found, left: leftOut(faults) }
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

function taskOf({ id, input, messages, targets }: RecordedRow): Task {
  const asked = messages ? taskInput(messages) : { fields: { input } }
  return { id: fittingId(id), split: 'test', ...asked, targets, choices: null, metadata: {}, capabilities: [], dependsOn: [] }
}
