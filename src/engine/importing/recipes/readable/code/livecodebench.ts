import { z } from 'zod'
import { textField } from '../../../files/row-fields.ts'
import { type Row, RowError } from '../../../files/row.ts'
import type { Task } from '../../../../tasks/task.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { anyForm } from '../any-form.ts'
import { codeRecipe } from './code-recipe.ts'
import { livecodebenchBreakdowns, livecodebenchOrigin, livecodebenchPrompt, problemOf } from './livecodebench-problem.ts'
import { unpackTests } from './packed-tests.ts'

export const livecodebench = codeRecipe({
  ...livecodebenchOrigin,
  slug: 'livecodebench',
  title: 'LiveCodeBench, code generation',
  summary: 'Contest problems with their dates, so that those after a model’s training cutoff can be selected.',
  description: 'Whether a model solves programming contest problems that it cannot have seen.',
  knownLimits: ['Only problems after a model’s training count as unseen.', 'The problem texts belong to the contest sites.'],
  promptTemplate: livecodebenchPrompt,
  breakdowns: livecodebenchBreakdowns,
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

const Tests = z.array(z.object({ input: z.string(), output: z.string(), testtype: z.enum(['stdin', 'functional']) }))
const Facts = z.object({ func_name: z.string().optional() })

function readProblem(row: Row): Task {
  const tests = [...testsIn(row, 'public_test_cases'), ...testsIn(row, 'private_test_cases')]
  const [first] = tests
  if (!first) throw new RowError('The problem has no tests.')
  const facts = Facts.safeParse(parseField('metadata', typeof row.value['metadata'] === 'string' ? row.value['metadata'] : '{}'))
  if (first.testtype === 'functional' && facts.data?.func_name === undefined)
    throw new RowError('The field "metadata" must name the function ("func_name") of a functional problem.')
  const problem = problemOf(row)
  return {
    ...problem,
    metadata: {
      ...problem.metadata,
      test_type: first.testtype,
      ...(facts.data?.func_name !== undefined && { fn_name: facts.data.func_name }),
      tests: tests.map(({ input, output }) => ({ input, output })),
    },
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
