import { z } from 'zod'
import { presentField, textField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import type { Task } from '../../../tasks/task.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'

const home = 'https://rajpurkar.github.io/SQuAD-explorer/'

export const squad: Recipe = {
  definition: {
    slug: 'squad',
    provider: 'rajpurkar',
    name: 'squad',
    title: 'SQuAD 1.1',
    summary: 'Questions on passages of Wikipedia, answered by a part of the passage.',
    description:
      'Whether a model finds the part of a passage that answers a question. Both metrics compare without case, punctuation and articles, as the ' +
      'official program does: F1 of the shared words, and exact match; the best over the references counts.',
    howMade: 'Written by crowd workers on passages of Wikipedia (Rajpurkar et al., 2016).',
    knownLimits: [
      'Solved by models for years.',
      'Several answers are right for many questions; the best match counts.',
      'Questions of one passage share its text, so their results are not independent.',
      'Only version 1.1: the questions without an answer of version 2.0 are refused.',
    ],
    runner: 'lm-eval',
    capabilities: ['reading comprehension'],
    license: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
    citation: 'Rajpurkar et al. (2016), SQuAD: 100,000+ Questions for Machine Comprehension of Text, arXiv:1606.05250',
    homepage: home,
    profiles: [
      {
        key: 'zero-shot',
        title: 'Zero-shot',
        summary: 'The passage, then the question; the answer is a part of the passage.',
        split: 'test',
        systemPrompt: null,
        promptTemplate: '{passage}\n\nAnswer with a few words of the text above and nothing else.\nQuestion: {question}\nAnswer:',
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 64, stop: ['\n'] },
        metrics: [
          { id: 'f1', title: 'Shared words (F1)', scorer: 'assay/f1', scorer_version: 1, options: {}, binary: false, primary: true },
          binaryMetric('exact_match', 'Exact match', 'helm/quasi_exact_match'),
        ],
        requires: ['chat'],
        chanceLevel: null,
        breakdowns: ['article'],
      },
    ],
  },
  files: [
    {
      role: 'validation',
      required: true,
      fileName: 'dev-v1.1.json',
      url: `${home}dataset/dev-v1.1.json`,
      download: direct,
      sha256: null,
      purpose:
        'Passages with their questions and answers, as upstream nests them or as a table with "context", "question" and "answers", such as validation-00000-of-00001.parquet.',
      content: { format: anyForm({ kind: 'json', key: 'data' }), holds: 'tasks', expand: questionsIn, read: readTask },
    },
  ],
}

const Article = z.object({
  title: z.string(),
  paragraphs: z.array(z.object({ context: z.string(), qas: z.array(z.looseObject({})) })),
})

/** The questions of an article; a row of a table is one question already. */
function* questionsIn(row: Row): Generator<Row['value']> {
  if (!Object.hasOwn(row.value, 'paragraphs')) return yield row.value
  const article = Article.safeParse(row.value)
  if (!article.success)
    throw new RowError('The article must have a "title" and "paragraphs", each with a "context" and a list "qas" of questions.')
  for (const { context, qas } of article.data.paragraphs)
    for (const question of qas) yield { ...question, context, title: article.data.title }
}

const Answers = z.union([
  z.array(z.object({ text: z.string() })).transform(answers => answers.map(({ text }) => text)),
  z.object({ text: z.array(z.string()) }).transform(({ text }) => text),
])

function readTask(row: Row): Task {
  const answers = Answers.safeParse(presentField(row, 'answers'))
  if (!answers.success) throw new RowError('The field "answers" must be a list of answers with "text", or an object with a list "text".')
  const targets = [...new Set(answers.data.filter(text => text.trim() !== ''))]
  const [first] = targets
  if (first === undefined) throw new RowError('The question has no answer; only version 1.1, where every question has one, is imported.')
  const title = row.value['title']
  return {
    id: textField(row, 'id'),
    split: 'test',
    fields: { passage: textField(row, 'context'), question: textField(row, 'question').trim() },
    targets,
    choices: null,
    metadata: { article: typeof title === 'string' ? title : 'Not stated', reference_output: first, wrong_output: 'unknown' },
    capabilities: ['reading comprehension'],
    dependsOn: [],
  }
}
