import { unpackedName } from '../../../lib/file-name.ts'
import { z } from 'zod'
import { codeProfile } from '../../content/benchmarks/code-profile.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import type { Task } from '../../tasks/task.ts'
import { RowError } from '../files/row.ts'
import {
  livecodebenchBreakdowns,
  livecodebenchOrigin,
  livecodebenchPrompt,
  problemOf,
} from '../recipes/readable/code/livecodebench-problem.ts'
import { mostEpochs } from './answer-columns.ts'
import { type ForeignLog, type LogAnswer, LogError, parseLogJson } from './foreign-log.ts'
import { type MatchedAnswer, noFacts } from './given-answer.ts'

const Problems = z.array(z.record(z.string(), z.unknown())).min(1)
const Recorded = z.object({ output_list: z.array(z.string()), graded_list: z.array(z.boolean()) })

/** Name under which the published label of an answer is kept. */
const label = 'passed'

interface LogFile {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Published results of LiveCodeBench (`*_eval_all.json`): each file is a model, each problem a task with the model's answers and whether
 * they passed. The files hold no tests, so the labels are taken as they are. Tasks hold none of the answers: results over the same
 * problems are the same version and compare. @throws LogError
 */
export function readLivecodebenchResults(files: readonly LogFile[], model: string | undefined): ForeignLog {
  const tasks: Task[] = []
  const places = new Map<string, number>()
  const answers: LogAnswer[] = []
  const models = new Set<string>()
  for (const { name, bytes } of files) {
    const parsed = Problems.safeParse(parseLogJson(bytes.toString('utf8'), name))
    if (!parsed.success) throw new LogError(`"${name}" is not a list of problems with "output_list" and "graded_list".`)
    const of = (files.length === 1 ? model : undefined) ?? modelIn(name)
    if (models.has(of)) throw new LogError(`Two files hold answers of the model "${of}". Import them one by one, each with a model name.`)
    models.add(of)
    const seen = new Set<number>()
    for (const [i, value] of parsed.data.entries()) {
      const task = problemAt(name, i, value)
      const known = places.get(task.id)
      if (known !== undefined && JSON.stringify(tasks[known]) !== JSON.stringify(task))
        throw new LogError(`"${name}" states the problem "${task.id}" in other words than the file before it.`)
      const taskIndex = known ?? tasks.push(task) - 1
      if (seen.has(taskIndex)) throw new LogError(`"${name}" has the problem "${task.id}" twice.`)
      seen.add(taskIndex)
      places.set(task.id, taskIndex)
      answers.push(...answersAt(name, task.id, value).map(answer => ({ ...answer, taskIndex, model: of, profileKey: 'zero-shot' })))
    }
  }
  return {
    title: 'LiveCodeBench, recorded answers',
    tasks,
    answers,
    pairs: [],
    isGraded: true,
    counted: null,
    warnings: ['The labels are LiveCodeBench’s own; the files hold no tests to run the answers again.'],
    define: (slug, title) => ({
      ...livecodebenchOrigin,
      slug,
      name: slug,
      title,
      summary: 'Contest problems with the published labels of recorded answers.',
      description:
        'Contest problems of LiveCodeBench, from files of its submissions. Answers that were imported with their labels are scored by them; nothing is run.',
      knownLimits: [
        'The labels are upstream’s; running the same code again agrees with most and not with all of them.',
        'The files hold no tests, so answers without a recorded label cannot be graded.',
      ],
      capabilities: ['programming', 'python'],
      profiles: [
        codeProfile(
          livecodebenchPrompt,
          [
            binaryMetric('recorded_pass', 'Recorded as passed', 'assay/recorded_score', {
              primary: true,
              options: { name: label, binary: true },
            }),
          ],
          livecodebenchBreakdowns,
        ),
      ],
    }),
  }
}

/** As LiveCodeBench's submissions name their files, e.g. `O1-Mini-2024-09-12_N1_eval_all.json`; others are named after the scenario alone. */
function modelIn(name: string): string {
  const stem = unpackedName(name)
    .replace(/\.json$/i, '')
    .replace(/_eval_all$/, '')
  return stem === '' || stem.startsWith('Scenario.') ? 'unknown model' : stem
}

function problemAt(name: string, i: number, value: Record<string, unknown>): Task {
  try {
    return problemOf({ line: i + 1, position: i + 1, value })
  } catch (error) {
    if (error instanceof RowError) throw new LogError(`"${name}", problem ${i + 1}: ${error.message}`)
    throw error
  }
}

function answersAt(name: string, id: string, value: Record<string, unknown>): Omit<MatchedAnswer, 'taskIndex' | 'model'>[] {
  const parsed = Recorded.safeParse(value)
  if (!parsed.success)
    throw new LogError(`"${name}", problem "${id}": "output_list" must be a list of texts and "graded_list" a list of truth values.`)
  const { output_list: outputs, graded_list: labels } = parsed.data
  if (outputs.length !== labels.length)
    throw new LogError(`"${name}", problem "${id}": "output_list" has ${outputs.length} entries and "graded_list" ${labels.length}.`)
  if (outputs.length > mostEpochs)
    throw new LogError(`"${name}", problem "${id}" has ${outputs.length} answers; at most ${mostEpochs} are taken.`)
  return outputs.map((output, i) => ({ ...noFacts, line: null, epoch: i + 1, output, scores: { [label]: labels[i] === true ? 1 : 0 } }))
}
