import { z } from 'zod'
import type { Archive } from '../../../archives/archive.ts'
import type { Task } from '../../../tasks/task.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { textField } from '../../files/row-fields.ts'
import { problem, type Row, RowError, type RowOrProblem } from '../../files/row.ts'
import type { Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { rowTask } from './row-task.ts'

const repository = 'https://github.com/ShishirPatil/gorilla'

/** A category of one turn that is graded under the rules for Python; simple questions had another name before version 4. */
const file = /(?:^|\/)BFCL_v\d+_((?:live_)?(?:simple(?:_python)?|multiple|parallel|parallel_multiple|irrelevance))\.json$/
const answers = 'possible_answer/'

const Question = z.array(z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1)).length(1)
const Functions = z.array(z.looseObject({ name: z.string() }))
const Truth = z.array(z.record(z.string(), z.record(z.string(), z.array(z.unknown()))))

export const bfcl: Recipe = {
  definition: {
    slug: 'bfcl',
    provider: 'gorilla',
    name: 'bfcl',
    title: 'BFCL',
    summary: 'Requests to be met by calls of the functions that are given, or by none.',
    description:
      'The categories of one turn of the Berkeley Function Calling Leaderboard for Python: one function or several, one call or several, and requests that no function meets, each also from users (live). Calls are compared with the accepted values under its rules.',
    howMade: 'Written by its authors with models, and for the live categories taken from requests of users (Patil et al., 2025).',
    knownLimits: [
      'Conversations of several turns, Java, JavaScript, web search, memory and executed calls are left out.',
      'The wording of the prompt is Assay’s: published figures were obtained with others.',
    ],
    runner: 'inspect',
    capabilities: ['tool use'],
    license: { name: 'Apache 2.0', url: `${repository}/blob/main/LICENSE` },
    citation: 'Patil et al. (2023), Gorilla: Large Language Model Connected with Massive APIs, arXiv:2305.15334',
    homepage: 'https://gorilla.cs.berkeley.edu/leaderboard.html',
    profiles: [
      {
        key: 'calls-by-text',
        title: 'Calls by text',
        summary: 'The functions are described in the prompt, and the calls are the answer.',
        split: 'test',
        systemPrompt: null,
        promptTemplate:
          'Functions, as JSON:\n{functions}\n\nRequest:\n{question}\n\nAnswer with the calls that meet the request and nothing else, in the form\n[name(parameter=value, ...), ...]\nIf no function can meet it, say so in words and call none.',
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
        metrics: [binaryMetric('calls', 'Right calls', 'bfcl/ast', { primary: true })],
        requires: ['chat'],
        chanceLevel: null,
        breakdowns: ['category'],
      },
    ],
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'bfcl.zip',
      url: `${repository}/tree/main/berkeley-function-call-leaderboard/bfcl_eval/data`,
      download: null,
      sha256: null,
      purpose: 'The folder `data` of the leaderboard as an archive: questions as BFCL_v4_….json, and their answers in possible_answer.',
      content: { format: anyForm({ kind: 'archive', rows: readCategories }), holds: 'tasks', read: readTask },
    },
  ],
}

/** Questions with the answers of the same id. */
function* readCategories(archive: Archive): Generator<RowOrProblem> {
  let found = 0
  for (const name of archive.names) {
    const category = file.exec(name)?.[1]
    if (category === undefined || name.includes(answers) || name.includes('unused')) continue
    found++
    const truths = new Map<unknown, unknown>()
    if (!category.endsWith('irrelevance')) {
      const beside = archive.names.find(other => other.endsWith(`${answers}${name.split('/').at(-1) ?? ''}`))
      if (beside === undefined) {
        yield problem(null, `The archive has no "${answers}${name.split('/').at(-1) ?? ''}" with the answers.`, name)
        continue
      }
      for (const { value } of linesOf(archive, beside)) if (value) truths.set(value['id'], value['ground_truth'])
    }
    for (const { line, value } of linesOf(archive, name))
      if (value) yield { kind: 'row', line, entry: name, value: { ground_truth: truths.get(value['id']) ?? [], ...value, category } }
      else yield problem(line, 'The line is not a JSON object.', name)
  }
  if (found === 0) yield problem(null, 'The archive has no BFCL_v…_simple.json or another category of one turn.')
}

function linesOf(archive: Archive, name: string) {
  return archive
    .read(name)
    .toString()
    .split('\n')
    .flatMap((text, i) => (text.trim() === '' ? [] : [{ line: i + 1, value: objectIn(text) }]))
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function readTask(row: Row): Task {
  const question = Question.safeParse(row.value['question']).data?.[0]
  if (!question) throw new RowError('The field "question" must be a list with one turn of messages.')
  const functions = Functions.safeParse(row.value['function']).data
  if (!functions) throw new RowError('The field "function" must be a list of functions with their names.')
  const truth = Truth.safeParse(row.value['ground_truth']).data
  const category = textField(row, 'category')
  if (!truth) throw new RowError('The field "ground_truth" must be a list of calls with the values that are accepted.')
  if (truth.length === 0 && !category.endsWith('irrelevance')) throw new RowError('The question has no answer in possible_answer.')
  return {
    ...rowTask('bfcl', row),
    id: textField(row, 'id'),
    fields: { functions: JSON.stringify(functions), question: question.map(({ content }) => content).join('\n\n') },
    targets: [JSON.stringify({ function: functions, ground_truth: truth })],
    metadata: { category, reference_output: JSON.stringify(truth.map(oneCall)) },
    capabilities: ['tool use'],
  }
}

/** The call with the first value that is accepted for each parameter; an empty text says that it may be left out. */
function oneCall(call: z.infer<typeof Truth>[number]): object {
  return Object.fromEntries(
    Object.entries(call).map(([name, given]) => [
      name,
      Object.fromEntries(Object.entries(given).flatMap(([parameter, [value]]) => (value === '' ? [] : [[parameter, plain(value)]]))),
    ]),
  )
}

/** In a dictionary, each key has its own list of accepted values. */
function plain(value: unknown): unknown {
  const fields = z.record(z.string(), z.array(z.unknown())).safeParse(value).data
  if (!fields) return value
  return Object.fromEntries(Object.entries(fields).flatMap(([key, [first]]) => (first === '' ? [] : [[key, plain(first)]])))
}
