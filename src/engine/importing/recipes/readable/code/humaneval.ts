import { textField } from '../../../files/row-fields.ts'
import type { Row } from '../../../files/row.ts'
import type { Task } from '../../../../tasks/task.ts'
import { anyForm } from '../any-form.ts'
import { direct, githubRelease } from '../../recipe.ts'
import { parsePythonJson } from './python-json.ts'
import { inputsField, toleranceField } from './code-fields.ts'
import { apache, baseTests, bothTests, codeRecipe, completeFunction, evalplusHome, evalplusPaper, fencedPython } from './code-recipe.ts'

export const humaneval = codeRecipe({
  slug: 'humaneval',
  provider: 'openai',
  title: 'HumanEval',
  summary: '164 Python functions to complete from their docstring.',
  description: 'Whether a model writes a function that passes its unit tests, which are run in the sandbox, apart from the function.',
  howMade: 'Written by hand at OpenAI (Chen et al., 2021).',
  knownLimits: [
    'Public since 2021 and in the training data of many models.',
    'The tests are few: wrong solutions pass. See HumanEval+.',
    'Asked as a chat: the reply may repeat the function or continue the prompt.',
  ],
  runner: 'evalplus',
  license: { name: 'MIT', url: 'https://github.com/openai/human-eval/blob/master/LICENSE' },
  citation: 'Chen et al. (2021), Evaluating Large Language Models Trained on Code, arXiv:2107.03374',
  homepage: 'https://github.com/openai/human-eval',
  promptTemplate: completeFunction,
  metrics: [baseTests],
  file: {
    fileName: 'HumanEval.jsonl',
    url: 'https://raw.githubusercontent.com/openai/human-eval/master/data/HumanEval.jsonl.gz',
    download: { ...direct, bytes: 44_877 },
    sha256: '1d49078ba3e2b196b9344535bef34a43021f038fad9561d6ee7c53450609a6a2',
    purpose: 'Prompts, reference solutions and tests; packed with gzip or not.',
  },
  content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: row => functionTask(row, { test: textField(row, 'test') }) },
})

export const humanevalPlus = codeRecipe({
  slug: 'humaneval-plus',
  provider: 'evalplus',
  title: 'HumanEval+',
  summary: 'HumanEval with many more tests.',
  description: 'The tasks of HumanEval, each with a large number of further inputs, so that fewer wrong solutions pass.',
  howMade: 'Inputs made by a model and by mutation, outputs by the reference solutions (Liu et al., 2023).',
  knownLimits: ['The tasks have been public since 2021.'],
  runner: 'evalplus',
  license: apache,
  citation: evalplusPaper,
  homepage: evalplusHome,
  promptTemplate: completeFunction,
  metrics: bothTests,
  file: {
    fileName: 'HumanEvalPlus.jsonl',
    url: 'https://github.com/evalplus/humanevalplus_release/releases/download/v0.1.10/HumanEvalPlus.jsonl.gz',
    download: githubRelease,
    sha256: null,
    purpose: 'Prompts, reference solutions, base and plus inputs.',
  },
  content: { format: anyForm({ kind: 'jsonl', parse: parsePythonJson }), holds: 'tasks', read: row => functionTask(row, inputTests(row)) },
})

/** A task in the form that HumanEval and EvalPlus share. */
function functionTask(row: Row, tests: Readonly<Record<string, unknown>>): Task {
  const prompt = textField(row, 'prompt')
  const solution = textField(row, 'canonical_solution')
  return {
    id: textField(row, 'task_id'),
    split: 'test',
    fields: { prompt },
    targets: [],
    choices: null,
    metadata: {
      entry_point: textField(row, 'entry_point'),
      prompt,
      canonical_solution: solution,
      ...tests,
      reference_output: fencedPython(prompt + solution),
      wrong_output: fencedPython(`${prompt}    raise NotImplementedError`),
    },
    capabilities: ['programming', 'python'],
    dependsOn: [],
  }
}

function inputTests(row: Row): Readonly<Record<string, unknown>> {
  return { base_input: inputsField(row, 'base_input'), plus_input: inputsField(row, 'plus_input'), atol: toleranceField(row) }
}
