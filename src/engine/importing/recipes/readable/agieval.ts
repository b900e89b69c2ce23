import { textField, textsField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../../tasks/task.ts'
import { direct, type Recipe, type RecipeFile } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { choiceProfile, choiceTemplate } from '../../../content/benchmarks/choice-profile.ts'
import { rowTask } from './row-task.ts'

const repository = 'https://github.com/ruixiangcui/AGIEval'

/** Questions of each exam, as the paper counts them. */
const questionsOf = {
  'aqua-rat': 254,
  'logiqa-en': 651,
  'lsat-ar': 230,
  'lsat-lr': 510,
  'lsat-rc': 269,
  'sat-en': 206,
  'sat-en-without-passage': 206,
  'sat-math': 220,
} as const

const exams = Object.keys(questionsOf)

const known: Readonly<Record<string, string>> = {
  'aqua-rat': 'cff42e946e6082dacb27285dae19cb4be98408ab760fe43c6c462e543be50572',
  'sat-math': '9cde4c0522b6196852a5562db6e72bf8817b4802822db0fc10013d1becdab3c3',
}

export const agieval: Recipe = {
  definition: {
    slug: 'agieval',
    provider: 'ruixiangcui',
    name: 'agieval',
    title: 'AGIEval (English, multiple choice)',
    summary: 'Questions of exams that people take: SAT, LSAT, LogiQA and algebra with rationales.',
    description: 'Whether a model passes exams made for people. Here only the English exams with one right choice out of four or five.',
    howMade: 'Collected by Zhong et al. in 2023 from public admission and qualification exams.',
    knownLimits: [
      'Exams and their answers are all over the web and very likely in training data.',
      'The Chinese exams and those without choices are not covered by this recipe.',
      'Any of the files can be imported; a score over some of them is not the score of the benchmark.',
    ],
    runner: 'inspect',
    capabilities: ['reasoning', 'knowledge'],
    license: { name: 'MIT; AQuA-RAT: Apache 2.0', url: `${repository}/blob/main/data/v1/LICENSE` },
    citation: 'Zhong et al. (2023), AGIEval: A Human-Centric Benchmark for Evaluating Foundation Models, arXiv:2304.06364',
    homepage: repository,
    profiles: [{ ...choiceProfile, breakdowns: ['exam'] }],
  },
  files: exams.map(fileOf),
  parts: { by: 'exam', tasks: questionsOf, inFiles: true },
}

function fileOf(exam: string): RecipeFile {
  return {
    role: exam,
    required: false,
    fileName: `${exam}.jsonl`,
    url: `https://raw.githubusercontent.com/ruixiangcui/AGIEval/main/data/v1/${exam}.jsonl`,
    download: direct,
    sha256: known[exam] ?? null,
    purpose: `The questions of ${exam}.`,
    content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: taskReader(exam) },
  }
}

function taskReader(exam: string): (row: Row) => Task {
  return row => {
    const passage = row.value['passage']
    const question = textField(row, 'question')
    const choices = textsField(row, 'options').map(option => option.replace(/^\([A-Z]\)\s*/, ''))
    const label = textField(row, 'label').trim()
    const labels = choices.map((_, i) => choiceLabel(i))
    if (!labels.includes(label)) throw new RowError(`The label "${label.slice(0, 20)}" is none of the choices ${labels.join(', ')}.`)
    return {
      ...rowTask(exam, row),
      fields: { question: typeof passage === 'string' && passage.trim() !== '' ? `${passage}\n\n${question}` : question },
      targets: [label],
      choices,
      metadata: { exam, ...choiceTemplate },
      capabilities: ['reasoning', 'knowledge'],
    }
  }
}
