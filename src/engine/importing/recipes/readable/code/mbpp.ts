import { presentField, scalarText, textField, textsField } from '../../../files/row-fields.ts'
import { type Row, RowError } from '../../../files/row.ts'
import type { Task } from '../../../../tasks/task.ts'
import { anyForm } from '../any-form.ts'
import { direct, githubRelease } from '../../recipe.ts'
import { parsePythonJson } from './python-json.ts'
import { inputsField, optionalTexts, toleranceField } from './code-fields.ts'
import { apache, baseTests, bothTests, codeRecipe, completeFunction, evalplusHome, evalplusPaper, fencedPython } from './code-recipe.ts'

const home = 'https://github.com/google-research/google-research/tree/master/mbpp'

export const mbpp = codeRecipe({
  slug: 'mbpp',
  provider: 'google',
  title: 'MBPP (sanitized)',
  summary: 'Short Python programs for beginners’ tasks.',
  description: 'Whether a model writes a short program that passes three tests, which it is shown.',
  howMade: 'Written by crowd workers; the sanitized part was checked by hand (Austin et al., 2021).',
  knownLimits: [
    'Public since 2021.',
    'The tests are shown to the model.',
    'Imports and set-up code of a test run in the tests’ own process, after the solution was loaded.',
  ],
  runner: 'evalplus_mbpp',
  license: { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  citation: 'Austin et al. (2021), Program Synthesis with Large Language Models, arXiv:2108.07732',
  homepage: home,
  promptTemplate: '{prompt}\n\nYour code must pass these tests:\n{tests}\n\nAnswer with the code in one fenced block of Python.',
  metrics: [baseTests],
  file: {
    fileName: 'sanitized-mbpp.json',
    url: 'https://raw.githubusercontent.com/google-research/google-research/master/mbpp/sanitized-mbpp.json',
    download: direct,
    sha256: null,
    purpose: 'Tasks, reference code and tests.',
  },
  content: { format: anyForm({ kind: 'json' }), holds: 'tasks', read: readSentence },
})

export const mbppPlus = codeRecipe({
  slug: 'mbpp-plus',
  provider: 'evalplus',
  title: 'MBPP+',
  summary: 'Part of MBPP with many more tests.',
  description: 'Well-formed tasks of MBPP, each with a large number of further inputs.',
  howMade: 'Inputs made by a model and by mutation, outputs by the reference solutions (Liu et al., 2023).',
  knownLimits: [
    'The tasks have been public since 2021.',
    'Releases differ in their tasks; results name the version.',
    'Inputs are given as the file holds them, with lists where upstream’s own program makes tuples of some.',
  ],
  runner: 'evalplus_mbpp',
  license: apache,
  citation: evalplusPaper,
  homepage: evalplusHome,
  promptTemplate: `${completeFunction}\n\nThe function is called "{entry_point}".`,
  metrics: bothTests,
  file: {
    fileName: 'MbppPlus.jsonl',
    url: 'https://github.com/evalplus/mbppplus_release/releases/download/v0.2.0/MbppPlus.jsonl.gz',
    download: githubRelease,
    sha256: null,
    purpose: 'Prompts, reference solutions, base and plus inputs.',
  },
  content: { format: anyForm({ kind: 'jsonl', parse: parsePythonJson }), holds: 'tasks', read: readPlus },
})

function readSentence(row: Row): Task {
  // The whole set, which is not sanitized, calls it "text".
  const prompt = textField(row, Object.hasOwn(row.value, 'prompt') ? 'prompt' : 'text')
  const code = textField(row, 'code')
  const tests = textsField(row, 'test_list')
  const setUp = row.value['test_setup_code']
  return {
    id: scalarText(presentField(row, 'task_id'), 'task_id'),
    split: 'test',
    fields: { prompt, tests: tests.join('\n') },
    targets: [],
    choices: null,
    metadata: {
      entry_point: testedName(code, tests),
      prompt: '',
      canonical_solution: code,
      test_list: tests,
      test_imports: [...optionalTexts(row, 'test_imports'), ...(typeof setUp === 'string' && setUp.trim() !== '' ? [setUp] : [])],
      reference_output: fencedPython(code),
      wrong_output: fencedPython('pass'),
    },
    capabilities: ['programming', 'python'],
    dependsOn: [],
  }
}

function readPlus(row: Row): Task {
  const prompt = textField(row, 'prompt')
  const name = textField(row, 'entry_point')
  const solution = textField(row, 'canonical_solution')
  return {
    id: textField(row, 'task_id'),
    split: 'test',
    fields: { prompt, entry_point: name },
    targets: [],
    choices: null,
    metadata: {
      entry_point: name,
      prompt: '',
      canonical_solution: solution,
      base_input: inputsField(row, 'base_input'),
      plus_input: inputsField(row, 'plus_input'),
      atol: toleranceField(row),
      reference_output: fencedPython(solution),
      wrong_output: fencedPython('pass'),
    },
    capabilities: ['programming', 'python'],
    dependsOn: [],
  }
}

/** The last function or class of the reference that the tests use: helpers precede it. */
function testedName(code: string, tests: readonly string[]): string {
  const used = new Set(tests.join('\n').match(/[A-Za-z_]\w*/g))
  const defined = [...code.matchAll(/^(?:def|class)\s+(\w+)|^(\w+)\s*=/gm)].map(match => match[1] ?? match[2] ?? '')
  const name = defined.findLast(candidate => used.has(candidate))
  if (name === undefined) throw new RowError('The tests use nothing that the code defines.')
  return name
}
