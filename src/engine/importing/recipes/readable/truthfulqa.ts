import { createHash } from 'node:crypto'
import { z } from 'zod'
import { presentField, textField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../../tasks/task.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { choiceProfile, choiceTemplate } from '../../../content/benchmarks/choice-profile.ts'
import { loglikelihoodProfile } from '../../../content/benchmarks/loglikelihood-profile.ts'
import { rowTask } from './row-task.ts'

const repository = 'https://github.com/sylinrl/TruthfulQA'

export const truthfulqa: Recipe = {
  definition: {
    slug: 'truthfulqa-mc1',
    provider: 'sylinrl',
    name: 'truthfulqa-mc1',
    title: 'TruthfulQA, one right answer',
    summary: 'Questions that many people answer wrongly because of common beliefs.',
    description:
      'Whether a model picks the true answer where imitation of what people say would be false. One choice is true. The file puts the true answer always ' +
      'first, so the choices are put into an order of their own, which depends on nothing but their text.',
    howMade: 'Written by Lin et al. in 2021, each question so that some people would answer it falsely.',
    knownLimits: [
      'The questions have been public since 2021 and later models were often tuned on them.',
      'Some answers counted as true are disputed or have become outdated.',
      'By letter and by log-likelihood give different scores; published MC1 numbers mostly are by log-likelihood.',
    ],
    runner: 'inspect',
    capabilities: ['truthfulness', 'knowledge'],
    license: { name: 'Apache 2.0', url: `${repository}/blob/main/LICENSE` },
    citation: 'Lin et al. (2021), TruthfulQA: Measuring How Models Mimic Human Falsehoods, arXiv:2109.07958',
    homepage: repository,
    profiles: [choiceProfile, { ...loglikelihoodProfile, promptTemplate: 'Q: {question}\nA:', loglikelihood: { most: 13 } }],
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'mc_task.json',
      url: 'https://raw.githubusercontent.com/sylinrl/TruthfulQA/main/data/mc_task.json',
      download: direct,
      sha256: null,
      purpose: 'The questions with their true and false answers.',
      content: { format: anyForm({ kind: 'json' }), holds: 'tasks', read: readTask },
    },
  ],
}

function readTask(row: Row): Task {
  const question = textField(row, 'question')
  const answers = presentField(row, 'mc1_targets')
  if (typeof answers !== 'object' || answers === null || Array.isArray(answers))
    throw new RowError('The field "mc1_targets" must be an object of answers.')
  const entries = entriesOf(answers)
  const choices = entries.map(([answer]) => answer).sort((a, b) => (rank(question, a) < rank(question, b) ? -1 : 1))
  const right = entries.filter(([, value]) => value === 1).map(([answer]) => answer)
  if (choices.length < 2 || right.length !== 1)
    throw new RowError(
      `"mc1_targets" must hold two answers or more and mark exactly one with 1, but marks ${right.length} of ${choices.length}.`,
    )
  return {
    ...rowTask('mc1', row),
    fields: { question },
    targets: right.map(answer => choiceLabel(choices.indexOf(answer))),
    choices,
    metadata: choiceTemplate,
    capabilities: ['truthfulness', 'knowledge'],
  }
}

/** Upstream has the answers as keys, tables as a list beside their labels. */
function entriesOf(answers: object): [string, unknown][] {
  const table = Table.safeParse(answers)
  return table.success ? table.data.choices.map((choice, i) => [choice, table.data.labels[i]]) : Object.entries(answers)
}

const Table = z.strictObject({ choices: z.array(z.string()), labels: z.array(z.number()) })

/** Orders the answers of a question as by chance, the same way everywhere. */
function rank(question: string, answer: string): string {
  return createHash('sha256').update(`${question}\n${answer}`).digest('hex')
}
