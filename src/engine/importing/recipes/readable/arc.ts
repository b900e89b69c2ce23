import { z } from 'zod'
import { presentField, textField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../../tasks/task.ts'
import type { Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { choiceProfile, choiceTemplate } from '../../../content/benchmarks/choice-profile.ts'
import { loglikelihoodProfile } from '../../../content/benchmarks/loglikelihood-profile.ts'
import { rowTask } from './row-task.ts'

export const arcChallenge: Recipe = {
  definition: {
    slug: 'arc-challenge',
    provider: 'allenai',
    name: 'arc-challenge',
    title: 'ARC Challenge',
    summary: 'School science questions that simple retrieval answers wrongly.',
    description:
      'Multiple-choice science questions of school level; the challenge set holds those that a retrieval method and a word statistic both failed.',
    howMade: 'Collected from school exams by the Allen Institute for AI (Clark et al., 2018).',
    knownLimits: ['Public since 2018.', 'A few questions have three or five choices instead of four, so the level of guessing varies.'],
    runner: 'lm-eval',
    capabilities: ['knowledge', 'science'],
    license: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
    citation: 'Clark et al. (2018), Think you have Solved Question Answering? Try ARC, the AI2 Reasoning Challenge, arXiv:1803.05457',
    homepage: 'https://allenai.org/data/arc',
    profiles: [{ ...loglikelihoodProfile, loglikelihood: { most: 5 } }, choiceProfile],
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'ARC-Challenge-Test.jsonl',
      url: 'https://allenai.org/data/arc',
      download: null,
      sha256: null,
      purpose: 'The test questions, out of the archive that upstream publishes, or as a table with "question", "choices" and "answerKey".',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readTask },
    },
  ],
}

const Question = z.object({ stem: z.string().min(1), choices: z.array(z.object({ text: z.string(), label: z.string() })).min(2) })

/** Upstream nests the choices in the question; tables have them beside it, as lists of texts and labels. */
const Table = z
  .object({ question: z.string().min(1), choices: z.object({ text: z.array(z.string()).min(2), label: z.array(z.string()) }) })
  .refine(({ choices }) => choices.text.length === choices.label.length)
  .transform(({ question, choices }) => ({
    stem: question,
    choices: choices.text.map((text, i) => ({ text, label: choices.label[i] ?? '' })),
  }))

function readTask(row: Row): Task {
  const question =
    typeof presentField(row, 'question') === 'string' ? Table.safeParse(row.value) : Question.safeParse(row.value['question'])
  if (!question.success)
    throw new RowError('The field "question" must hold a "stem" and two "choices" or more, each with "text" and "label".')
  const { stem, choices } = question.data
  const key = textField(row, 'answerKey')
  const right = choices.findIndex(({ label }) => label === key)
  if (right < 0) throw new RowError(`The answer key "${key.slice(0, 20)}" is none of ${choices.map(({ label }) => label).join(', ')}.`)
  return {
    ...rowTask('arc', row),
    id: textField(row, 'id'),
    fields: { question: stem },
    // Some questions number their choices; here all are lettered.
    targets: [choiceLabel(right)],
    choices: choices.map(({ text }) => text),
    metadata: choiceTemplate,
    capabilities: ['knowledge', 'science'],
  }
}
