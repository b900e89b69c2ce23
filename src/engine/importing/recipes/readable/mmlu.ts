import type { Archive } from '../../../archives/archive.ts'
import type { TaskOrShot } from '../../files/import-source.ts'
import { importLimits } from '../../files/limits.ts'
import { readCsv } from '../../files/read-csv.ts'
import { presentField, textField, textsField } from '../../files/row-fields.ts'
import { problem, type Row, RowError, type RowOrProblem } from '../../files/row.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { choiceProfile, choiceTemplate } from '../../../content/benchmarks/choice-profile.ts'
import { loglikelihoodProfile } from '../../../content/benchmarks/loglikelihood-profile.ts'
import { mmluSubjects } from './mmlu-subjects.ts'

const repository = 'https://github.com/hendrycks/test'
const table = 'https://huggingface.co/datasets/cais/mmlu/tree/main/all'

export const mmlu: Recipe = {
  definition: {
    slug: 'mmlu',
    provider: 'hendrycks',
    name: 'mmlu',
    title: 'MMLU',
    summary: 'Multiple-choice questions on 57 subjects from school to professional exams.',
    description:
      'Whether a model knows and can apply what is taught in 57 subjects. Four choices each, one of them right. The 5-shot profile asks as ' +
      'lm-evaluation-harness does: five questions of the same subject with their letters, then the likelihood of each letter.',
    howMade: 'Collected by students from exams and textbooks that are freely available online (Hendrycks et al., 2020).',
    knownLimits: [
      'Public since 2020 and in much training data.',
      'Some published answers are wrong or ambiguous.',
      'Prompt and extraction change the score by several points.',
      'The score here is the mean over all questions; upstream’s tables also give means over subjects.',
    ],
    runner: 'lm-eval',
    capabilities: ['knowledge', 'reasoning'],
    license: { name: 'MIT', url: `${repository}/blob/master/LICENSE` },
    citation: 'Hendrycks et al. (2021), Measuring Massive Multitask Language Understanding, arXiv:2009.03300',
    homepage: repository,
    profiles: [
      {
        ...loglikelihoodProfile,
        key: '5-shot',
        title: '5-shot, by log-likelihood',
        summary:
          'Five questions of the subject with their letters, then the question; each letter is measured as its continuation, one call a letter. Needs an endpoint whose check has proved log-likelihoods.',
        introTemplate: 'The following are multiple choice questions (with answers) about {subject}.\n\n',
        promptTemplate: '{question}\n{options}\nAnswer:',
        shotTemplate: '{question}\n{options}\nAnswer: {answer}\n\n',
        shots: 5,
        shotsBy: 'subject',
        metrics: [binaryMetric('acc', 'Accuracy', 'lm_eval/multiple_choice', { primary: true, options: { metric: 'acc' } })],
        chanceLevel: 0.25,
        breakdowns: ['subject'],
        loglikelihood: { most: 4, letters: true },
      },
      { ...choiceProfile, chanceLevel: 0.25, breakdowns: ['subject'] },
    ],
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'data.tar',
      url: 'https://people.eecs.berkeley.edu/~hendrycks/data.tar',
      download: direct,
      sha256: null,
      purpose: `The archive of upstream, with the questions and the worked examples of every subject; or only the test questions as a table, such as test-00000-of-00001.parquet of ${table}.`,
      content: { format: anyForm({ kind: 'archive', rows: readSubjects }), holds: 'both', read: reader() },
    },
    {
      role: 'dev',
      required: false,
      fileName: 'dev-00000-of-00001.parquet',
      url: table,
      download: null,
      sha256: null,
      purpose: 'Five worked examples of each subject, for the 5-shot profile; not needed beside the archive.',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'shots', read: row => readShot(readQuestion(row)) },
    },
  ],
  parts: { by: 'subject', tasks: Object.fromEntries(mmluSubjects.map(subject => [subject, null])), inFiles: false },
}

/** The folders `dev` and `test` of the archive: a CSV file without column names for each subject. */
async function* readSubjects(archive: Archive): AsyncGenerator<RowOrProblem> {
  const files = archive.names
    .map(name => ({ name, .../(?:^|\/)(?<split>dev|test)\/(?<subject>\w+)_\k<split>\.csv$/.exec(name)?.groups }))
    .filter((file): file is typeof file & { split: string; subject: string } => 'split' in file)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  if (!files.some(({ split }) => split === 'test'))
    return yield problem(null, 'The archive must hold the folder "test" with a file such as "anatomy_test.csv" for each subject.')
  for (const { name, split, subject } of files) {
    for await (const row of readCsv(once(archive.read(name)), importLimits, ['question', 'A', 'B', 'C', 'D', 'answer'])) {
      if (row.kind === 'problem') yield problem(row.line, row.message, name)
      if (row.kind !== 'row') continue
      const { question, answer, A, B, C, D } = row.value
      yield { ...row, entry: name, value: { question, subject, choices: [A, B, C, D], answer, split } }
    }
  }
}

// oxlint-disable-next-line typescript/require-await -- a reader of files takes them as they come
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

interface Question {
  readonly question: string
  readonly subject: string
  readonly choices: readonly string[]
  readonly answer: string
}

/** Tasks are numbered within their subject, so that the archive and a table give them the same ids. */
function reader(): (row: Row) => TaskOrShot {
  let counts = new Map<string, number>()
  return row => {
    if (row.position === 1) counts = new Map()
    const asked = readQuestion(row)
    if (row.value['split'] === 'dev') return { shot: readShot(asked) }
    const { question, subject, choices, answer } = asked
    const number = (counts.get(subject) ?? 0) + 1
    counts.set(subject, number)
    return {
      task: {
        id: `${subject}-${String(number).padStart(4, '0')}`,
        split: 'test',
        fields: { question, options: optionLines(choices), subject: subject.replaceAll('_', ' ') },
        targets: [answer],
        choices,
        metadata: { subject, ...choiceTemplate },
        capabilities: ['knowledge', 'reasoning'],
        dependsOn: [],
      },
    }
  }
}

function readShot({ question, subject, choices, answer }: Question) {
  return { fields: { question, options: optionLines(choices), answer }, group: subject }
}

function readQuestion(row: Row): Question {
  const choices = textsField(row, 'choices')
  if (choices.length !== 4) throw new RowError(`There must be four choices, but there are ${choices.length}.`)
  return {
    question: textField(row, 'question').trim(),
    subject: textField(row, 'subject').trim().replaceAll(' ', '_'),
    choices,
    answer: readAnswer(presentField(row, 'answer')),
  }
}

/** A letter in the archive, a position from 0 in the tables. */
function readAnswer(value: unknown): string {
  const text = String(value).trim()
  if (/^[A-D]$/.test(text)) return text
  if (/^[0-3]$/.test(text)) return choiceLabel(Number(text))
  throw new RowError(`The answer must be a letter from A to D or a position from 0 to 3, not "${text.slice(0, 20)}".`)
}

function optionLines(choices: readonly string[]): string {
  return choices.map((choice, i) => `${choiceLabel(i)}. ${choice}`).join('\n')
}
