import { z } from 'zod'
import { textField } from '../../../files/row-fields.ts'
import { type Row, RowError } from '../../../files/row.ts'
import type { Task } from '../../../../tasks/task.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { anyForm } from '../any-form.ts'
import { codeRecipe, fencedPython } from './code-recipe.ts'
import { unpackTests } from './packed-tests.ts'

const home = 'https://github.com/LiveCodeBench/LiveCodeBench'

const shared = {
  provider: 'livecodebench',
  howMade: 'Collected from LeetCode, AtCoder and Codeforces and dated (Jain et al., 2024).',
  runner: 'livecodebench',
  license: { name: 'MIT for the code; problem texts under the terms of the contest sites', url: home },
  citation:
    'Jain et al. (2024), LiveCodeBench: Holistic and Contamination Free Evaluation of Large Language Models for Code, arXiv:2403.07974',
  homepage: home,
  promptTemplate: '{question}\n\n{form}\n\nAnswer with Python code in one fenced block at the end of your reply.',
  breakdowns: ['difficulty', 'platform'],
} as const

export const livecodebench = codeRecipe({
  ...shared,
  slug: 'livecodebench',
  title: 'LiveCodeBench, code generation',
  summary: 'Contest problems with their dates, so that those after a model’s training cutoff can be selected.',
  description: 'Whether a model solves programming contest problems that it cannot have seen.',
  knownLimits: ['Only problems after a model’s training count as unseen.', 'The problem texts belong to the contest sites.'],
  metrics: [binaryMetric('all_tests', 'Passes all tests', 'livecodebench/all_tests', { primary: true })],
  file: {
    fileName: 'test.jsonl',
    url: 'https://huggingface.co/datasets/livecodebench/code_generation_lite',
    download: null,
    sha256: null,
    purpose: 'Problems with public and private tests.',
  },
  content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readProblem },
})

/** Published answers with their recorded verdicts. */
export const livecodebenchRecorded = codeRecipe({
  ...shared,
  slug: 'livecodebench-recorded',
  title: 'LiveCodeBench, recorded answers',
  summary: 'Answers of a model that LiveCodeBench has published, with their labels as they are.',
  description:
    'Problems with the answers of one model and whether each passed, from a file of the LiveCodeBench submissions. Nothing is run: an answer that is one of those recorded ' +
    'gets its label, any other none. Use it to look at published results with this product’s statistics, or beside a run of your own.',
  knownLimits: [
    'The labels are upstream’s; running the same code again agrees with most and not with all of them.',
    'The files hold no tests, so other answers cannot be graded.',
  ],
  metrics: [binaryMetric('stored_label', 'Recorded as passed', 'livecodebench/stored_label', { primary: true })],
  file: {
    fileName: 'eval_all.json',
    url: 'https://github.com/LiveCodeBench/submissions',
    download: null,
    sha256: null,
    purpose: 'Problems with outputs and graded lists, e.g. Scenario.codegeneration_1_0.2_eval_all.json.',
  },
  content: { format: anyForm({ kind: 'json' }), holds: 'tasks', read: readRecorded },
})

const Tests = z.array(z.object({ input: z.string(), output: z.string(), testtype: z.enum(['stdin', 'functional']) }))
const Facts = z.object({ func_name: z.string().optional() })

function readProblem(row: Row): Task {
  const tests = [...testsIn(row, 'public_test_cases'), ...testsIn(row, 'private_test_cases')]
  const [first] = tests
  if (!first) throw new RowError('The problem has no tests.')
  const facts = Facts.safeParse(parseField('metadata', typeof row.value['metadata'] === 'string' ? row.value['metadata'] : '{}'))
  if (first.testtype === 'functional' && facts.data?.func_name === undefined)
    throw new RowError('The field "metadata" must name the function ("func_name") of a functional problem.')
  return {
    ...problem(row),
    metadata: {
      ...factsOf(row),
      test_type: first.testtype,
      ...(facts.data?.func_name !== undefined && { fn_name: facts.data.func_name }),
      tests: tests.map(({ input, output }) => ({ input, output })),
    },
  }
}

function readRecorded(row: Row): Task {
  const outputs = z.array(z.string()).safeParse(row.value['output_list'])
  const labels = z.array(z.boolean()).safeParse(row.value['graded_list'])
  if (!outputs.success) throw new RowError('The field "output_list" must be a list of texts.')
  if (!labels.success) throw new RowError('The field "graded_list" must be a list of truth values.')
  if (outputs.data.length !== labels.data.length)
    throw new RowError(`"output_list" has ${outputs.data.length} entries but "graded_list" has ${labels.data.length}.`)
  const recorded = outputs.data.map((output, i) => ({ output, passed: labels.data[i] === true }))
  return {
    ...problem(row),
    metadata: {
      ...factsOf(row),
      recorded,
      reference_output: recorded.find(({ passed }) => passed)?.output ?? recorded[0]?.output ?? '',
      wrong_output: recorded.find(({ passed }) => !passed)?.output ?? fencedPython('pass'),
    },
  }
}

function problem(row: Row): Omit<Task, 'metadata'> {
  const starter = row.value['starter_code']
  return {
    id: textField(row, 'question_id'),
    split: 'test',
    fields: {
      question: textField(row, 'question_content'),
      form:
        typeof starter === 'string' && starter.trim() !== ''
          ? `Begin with this code:\n${starter}`
          : 'Write a program that reads standard input and writes standard output.',
    },
    targets: [],
    choices: null,
    capabilities: ['programming', 'python', 'algorithms'],
    dependsOn: [],
  }
}

function factsOf(row: Row): { difficulty: string; platform: string; contest_date: string } {
  return {
    difficulty: textField(row, 'difficulty'),
    platform: textField(row, 'platform'),
    contest_date: textField(row, 'contest_date').slice(0, 10),
  }
}

function testsIn(row: Row, name: string): z.infer<typeof Tests> {
  const text = textField(row, name)
  const tests = Tests.safeParse(parseField(name, text.trimStart().startsWith('[') ? text : unpackTests(text, name)))
  if (!tests.success) throw new RowError(`The field "${name}" must be a list of tests with input, output and testtype.`)
  return tests.data
}

function parseField(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RowError(`The field "${name}" is not JSON.`)
  }
}
