import { z } from 'zod'
import { type Archive, ArchiveError } from '../../../archives/archive.ts'
import { locateLines } from '../../files/locate-lines.ts'
import { parseJson } from '../../files/parse-json.ts'
import { presentField, textField } from '../../files/row-fields.ts'
import { type Row, RowError, type RowOrProblem } from '../../files/row.ts'
import type { Task } from '../../../tasks/task.ts'
import type { ProfileDefinition } from '../../../tasks/definition.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'

const profile: ProfileDefinition = {
  key: 'zero-shot',
  title: 'Zero-shot',
  summary: 'The passage, then the question; the answer is a number, a date or a few words.',
  split: 'test',
  systemPrompt: null,
  promptTemplate:
    '{passage}\n\nAnswer with a number, a date or a few words of the text above and nothing else.\nQuestion: {question}\nAnswer:',
  shotTemplate: null,
  shots: 0,
  generation: { temperature: 0, max_output_tokens: 64, stop: ['\n'] },
  metrics: [
    { id: 'f1', title: 'F1', scorer: 'lm_eval/drop', scorer_version: 1, options: { metric: 'f1' }, binary: false, primary: true },
    binaryMetric('em', 'Exact match', 'lm_eval/drop', { options: { metric: 'em' } }),
  ],
  requires: ['chat'],
  chanceLevel: null,
  breakdowns: ['answer_type'],
}

export const drop: Recipe = {
  definition: {
    slug: 'drop',
    provider: 'allenai',
    name: 'drop',
    title: 'DROP',
    summary: 'Questions on a passage that take counting, sorting or arithmetic.',
    description:
      'Whether a model can find several facts in a passage and combine them. Answers are numbers, dates or words of the passage. F1 and exact match are ' +
      'those of lm-evaluation-harness: without case, punctuation and articles, numbers by value, and the best over the references.',
    howMade: 'Written by crowd workers against a model, so that simple reading fails (Dua et al., 2019).',
    knownLimits: [
      'The hidden test set has no public answers; the development set is used.',
      'Some answers have several parts. An output is one text, so it is never an exact match of them and reaches only a part of their F1, as in lm-evaluation-harness.',
      'Questions of one passage share its text, so their results are not independent.',
    ],
    runner: 'lm-eval',
    capabilities: ['reading comprehension', 'arithmetic'],
    license: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
    citation: 'Dua et al. (2019), DROP: A Reading Comprehension Benchmark Requiring Discrete Reasoning Over Paragraphs, arXiv:1903.00161',
    homepage: 'https://allenai.org/data/drop',
    profiles: [
      profile,
      {
        ...profile,
        key: 'completion',
        title: 'Zero-shot, as lm-evaluation-harness asks',
        summary: 'Passage and question and nothing else, the answer up to the first full stop: for models that complete text.',
        requires: ['completion'],
        promptTemplate: '{passage} {question}',
        generation: { temperature: 0, max_output_tokens: 256, stop: ['.'] },
      },
    ],
  },
  files: [
    {
      role: 'validation',
      required: true,
      fileName: 'drop_dataset.zip',
      url: 'https://s3-us-west-2.amazonaws.com/allennlp/datasets/drop/drop_dataset.zip',
      download: direct,
      sha256: null,
      purpose:
        'The archive of upstream, of which drop_dataset_dev.json is read; or a table with "passage", "question", "answer" and "validated_answers", as EleutherAI/drop on Hugging Face.',
      content: { format: anyForm({ kind: 'archive', rows: readPassages }), holds: 'tasks', expand: questionsIn, read: readTask },
    },
  ],
}

/** The passages of the development set: an object with one key a passage. */
function* readPassages(archive: Archive): Generator<RowOrProblem> {
  const name = archive.names.find(candidate => /(?:^|\/)drop_dataset_dev\.json$/.test(candidate) && !candidate.includes('__MACOSX'))
  if (name === undefined) throw new ArchiveError('The archive must hold "drop_dataset_dev.json".')
  const text = archive.read(name).toString('utf8')
  const passages = Passages.safeParse(parseOr(text))
  if (!passages.success) throw new ArchiveError(`"${name}" is no JSON object of passages.`)
  const lines = locateLines(text)
  for (const [i, value] of Object.values(passages.data).entries()) yield { kind: 'row', line: lines[i] ?? 1, entry: name, value }
}

const Passages = z.record(z.string(), z.record(z.string(), z.unknown()))

function parseOr(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof RowError) return null
    throw error
  }
}

const Pairs = z.array(z.record(z.string(), z.unknown()))

/** The questions of a passage; a row of a table is one question already. */
function* questionsIn(row: Row): Generator<Row['value']> {
  if (!Object.hasOwn(row.value, 'qa_pairs')) return yield row.value
  const passage = textField(row, 'passage')
  const pairs = Pairs.safeParse(row.value['qa_pairs'])
  if (!pairs.success) throw new RowError('The field "qa_pairs" must be a list of questions with their answers.')
  for (const pair of pairs.data) yield { ...pair, passage }
}

const Parts = z.object({
  number: z.union([z.string(), z.number()]).transform(String),
  date: z.object({ day: z.string().default(''), month: z.string().default(''), year: z.string().default('') }),
  spans: z.array(z.string()),
})
type Parts = z.output<typeof Parts>

/** The answers of other people: a list upstream, an object of lists in tables. */
const Validated = z.union([
  z.array(Parts),
  z
    .object({ number: z.array(Parts.shape.number), date: z.array(Parts.shape.date), spans: z.array(Parts.shape.spans) })
    .refine(({ number, date, spans }) => date.length === number.length && spans.length === number.length)
    .transform(({ number, date, spans }) =>
      number.flatMap((one, i) => {
        const [day, words] = [date[i], spans[i]]
        return day && words ? [{ number: one, date: day, spans: words }] : []
      }),
    ),
])

function readTask(row: Row): Task {
  if (row.value['answer'] === undefined && row.value['answers_spans'] !== undefined)
    throw new RowError(
      'Send drop_dataset.zip, or the table of EleutherAI/drop: "answers_spans" does not tell the parts of one answer from the answers of several people.',
    )
  const answer = Parts.safeParse(presentField(row, 'answer'))
  if (!answer.success) throw new RowError('The field "answer" must have a "number", a "date" and "spans".')
  const others = Validated.safeParse(row.value['validated_answers'] ?? [])
  if (!others.success) throw new RowError('The field "validated_answers" must hold answers with a "number", a "date" and "spans".')
  const all = [answer.data, ...others.data].map(spansOf)
  const answers = all.filter((one, i) => one.join('') !== '' && all.findIndex(other => other.join('\n') === one.join('\n')) === i)
  if (answers.length === 0) throw new RowError('The question has no answer.')
  const targets = answers.map(spans => spans.join(', '))
  return {
    id: textField(row, 'query_id'),
    split: 'test',
    fields: { passage: textField(row, 'passage'), question: textField(row, 'question') },
    targets,
    choices: null,
    metadata: { answers, answer_type: typeOf(answer.data), reference_output: targets[0] ?? '', wrong_output: 'unknown' },
    capabilities: ['reading comprehension', 'arithmetic'],
    dependsOn: [],
  }
}

/** The parts of an answer, in the order in which upstream's program looks for them. */
function spansOf({ number, date, spans }: Parts): readonly string[] {
  if (number !== '') return [number]
  if (spans.length > 0) return spans
  return [[date.day, date.month, date.year].join(' ').trim()]
}

function typeOf({ number, spans }: Parts): string {
  if (number !== '') return 'number'
  return spans.length === 0 ? 'date' : spans.length === 1 ? 'words' : 'several parts'
}
