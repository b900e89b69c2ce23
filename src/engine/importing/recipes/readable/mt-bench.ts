import { textField, textsField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import { turnTargetsKey } from '../../../grading/scorers/native/each-turn.scorer.ts'
import type { Task } from '../../../tasks/task.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import type { Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'

const repository = 'https://github.com/lm-sys/FastChat'

/** Categories that MT-Bench judges with reference answers; those that the file gives for others are not shown to its judge. */
const withReference: ReadonlySet<string> = new Set(['math', 'reasoning', 'coding'])
const categories = ['writing', 'roleplay', 'extraction', 'math', 'coding', 'reasoning', 'stem', 'humanities']

export const mtBench: Recipe = {
  definition: {
    slug: 'mt-bench',
    provider: 'lmsys',
    name: 'mt-bench',
    title: 'MT-Bench',
    summary: 'Open questions with a follow-up in eight categories, graded by a judge.',
    description:
      'How well a model answers open questions and what is asked after them. Each task has two turns; a judge gives each answer a number from 1 to 10. ' +
      'Choose an evaluator with the preset “MT-Bench” in the run: the metric of the profile says only whether there is an answer. ' +
      'A number from 1 to 10 is shown as 0 to 1, so 8 is 0.78.',
    howMade: 'Written by Zheng et al. in 2023: 80 questions of two turns, ten in each category.',
    knownLimits: [
      'The judge’s instructions are Assay’s own and not those of FastChat, so scores are not comparable with published ones.',
      'FastChat asks writing and roleplay at temperature 0.7, and STEM and humanities at 0.1; here all are asked at 0.',
      'Judges prefer long answers and those of their own family.',
      'Strong models reach the top of the scale.',
    ],
    runner: 'inspect',
    capabilities: ['conversation', 'instruction following'],
    license: { name: 'Apache 2.0', url: `${repository}/blob/main/LICENSE` },
    citation: 'Zheng et al. (2023), Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, arXiv:2306.05685',
    homepage: `${repository}/tree/main/fastchat/llm_judge`,
    profiles: [
      {
        key: 'two-turns',
        title: 'Two turns',
        summary: 'The question, then the follow-up after the model’s answer.',
        split: 'test',
        systemPrompt: null,
        promptTemplate: '{prompt}',
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
        metrics: [binaryMetric('answered', 'Answered, not judged', 'assay/pattern', { primary: true, options: { pattern: '\\S' } })],
        requires: ['chat'],
        chanceLevel: null,
        breakdowns: ['category'],
      },
    ],
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'question.jsonl',
      url: `${repository}/tree/main/fastchat/llm_judge/data/mt_bench`,
      download: null,
      sha256: null,
      purpose: 'The 80 questions with their turns and reference answers.',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readTask },
    },
  ],
}

function readTask(row: Row): Task {
  const id = row.value['question_id']
  if (typeof id !== 'number' && typeof id !== 'string') throw new RowError('The field "question_id" must be a number or text.')
  const category = textField(row, 'category')
  if (!categories.includes(category))
    throw new RowError(`MT-Bench has no category "${category.slice(0, 40)}". It has ${categories.join(', ')}.`)
  const [prompt = '', ...turns] = textsField(row, 'turns')
  if (turns.length === 0 || [prompt, ...turns].some(turn => turn.trim() === ''))
    throw new RowError('The field "turns" must hold the question and its follow-up.')
  const targets = withReference.has(category) ? referencesOf(row, turns.length + 1) : null
  return {
    id: String(id),
    split: 'test',
    fields: { prompt },
    turns,
    targets: targets?.at(-1) ?? [],
    choices: null,
    metadata: { category, ...(targets && { [turnTargetsKey]: targets }) },
    capabilities: ['conversation', 'instruction following'],
    dependsOn: [],
  }
}

/** One for each turn, null where it has none; null where the row gives none. */
function referencesOf(row: Row, turns: number): (string[] | null)[] | null {
  if (row.value['reference'] === undefined || row.value['reference'] === null) return null
  const references = textsField(row, 'reference')
  if (references.length === 0) return null
  if (references.length !== turns) throw new RowError(`"reference" has ${references.length} entries and the task has ${turns} turns.`)
  return references.map(text => (text.trim() === '' ? null : [text]))
}
