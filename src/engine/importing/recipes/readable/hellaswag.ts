import { presentField, scalarText, textField, textsField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../../tasks/task.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { choiceProfile, choiceTemplate } from '../../../content/benchmarks/choice-profile.ts'
import { loglikelihoodProfile } from '../../../content/benchmarks/loglikelihood-profile.ts'
import { withoutStretches } from '../../../../lib/without-stretches.ts'
import { rowTask } from './row-task.ts'

const repository = 'https://github.com/rowanz/hellaswag'

export const hellaswag: Recipe = {
  definition: {
    slug: 'hellaswag',
    provider: 'rowanz',
    name: 'hellaswag',
    title: 'HellaSwag',
    summary: 'Choosing the sentence that sensibly continues a text.',
    description:
      'Whether a model knows how everyday situations go on. Four endings, one written by people, three by a model and hard to tell from it. Made for ' +
      'log-likelihood, and published numbers mostly are accuracies per character of that kind.',
    howMade: 'From video captions and how-to articles, with wrong endings filtered to fool models of 2019 (Zellers et al.).',
    knownLimits: [
      'Only the validation set has public answers.',
      'By letter the scores are different from those by log-likelihood.',
      'Many texts are ungrammatical.',
    ],
    runner: 'lm-eval',
    capabilities: ['common sense'],
    license: { name: 'MIT', url: `${repository}/blob/master/LICENSE` },
    citation: 'Zellers et al. (2019), HellaSwag: Can a Machine Really Finish Your Sentence?, arXiv:1905.07830',
    homepage: repository,
    profiles: [
      { ...loglikelihoodProfile, promptTemplate: '{question}', chanceLevel: 0.25, breakdowns: ['source'] },
      {
        ...choiceProfile,
        promptTemplate: choiceProfile.promptTemplate.replace('{question}', 'How does this text go on?\n\n{question}'),
        chanceLevel: 0.25,
        breakdowns: ['source'],
      },
    ],
  },
  files: [
    {
      role: 'validation',
      required: true,
      fileName: 'hellaswag_val.jsonl',
      url: 'https://raw.githubusercontent.com/rowanz/hellaswag/master/data/hellaswag_val.jsonl',
      download: direct,
      sha256: null,
      purpose: 'Contexts with four endings.',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readTask },
    },
  ],
}

function readTask(row: Row): Task {
  const endings = textsField(row, 'endings')
  const label = scalarText(presentField(row, 'label'), 'label')
  // The test set has empty labels: its answers are not public.
  if (endings.length !== 4 || !/^[0-3]$/.test(label))
    throw new RowError(
      `The row must have four endings and a label from 0 to 3; it has ${endings.length} endings and the label "${label.slice(0, 20)}".`,
    )
  const context = `${textField(row, 'activity_label')}: ${textField(row, 'ctx')}`
  return {
    ...rowTask('hs', row),
    fields: { question: clean(context) },
    targets: [choiceLabel(Number(label))],
    choices: endings.map(clean),
    metadata: { ...choiceTemplate, source: /^wikihow/i.test(String(row.value['source_id'])) ? 'how-to articles' : 'video captions' },
    capabilities: ['common sense'],
  }
}

/** The how-to articles hold marks such as "[header]", which are not part of the text. */
function clean(text: string): string {
  return withoutStretches(text.replaceAll('[title]', '. '), /\[/, /\]/g).replaceAll(/ {2,}/g, ' ').trim()
}
