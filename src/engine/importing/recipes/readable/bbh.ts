import { textField } from '../../files/row-fields.ts'
import type { Row } from '../../files/row.ts'
import type { Task } from '../../../tasks/task.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { direct, type Recipe, type RecipeFile } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { rowTask } from './row-task.ts'

const repository = 'https://github.com/suzgunmirac/BIG-Bench-Hard'

const subtasks = [
  'boolean_expressions',
  'causal_judgement',
  'date_understanding',
  'disambiguation_qa',
  'dyck_languages',
  'formal_fallacies',
  'geometric_shapes',
  'hyperbaton',
  'logical_deduction_five_objects',
  'logical_deduction_seven_objects',
  'logical_deduction_three_objects',
  'movie_recommendation',
  'multistep_arithmetic_two',
  'navigate',
  'object_counting',
  'penguins_in_a_table',
  'reasoning_about_colored_objects',
  'ruin_names',
  'salient_translation_error_detection',
  'snarks',
  'sports_understanding',
  'temporal_sequences',
  'tracking_shuffled_objects_five_objects',
  'tracking_shuffled_objects_seven_objects',
  'tracking_shuffled_objects_three_objects',
  'web_of_lies',
  'word_sorting',
] as const

const known: Readonly<Record<string, string>> = {
  boolean_expressions: 'ea6c754ec005e2d3f2d085d349a740f593b5764f32ea4638ffed4cfc0061b12a',
  date_understanding: '0148d4ac5fca05b2f82373e5fef7208e15363b9c6079493034d77b3dab496bf5',
}

/** Parts with fewer examples than the 250 of the others. */
const smaller: Readonly<Record<string, number>> = { causal_judgement: 187, penguins_in_a_table: 146, snarks: 178 }

const authorsMetric = binaryMetric('exact_match', 'Exact match by the authors’ rule', 'bbh/exact_match', { primary: true })

export const bbh: Recipe = {
  definition: {
    slug: 'bbh',
    provider: 'suzgunmirac',
    name: 'bbh',
    title: 'BIG-Bench Hard',
    summary: '27 tasks from BIG-Bench on which early models did worse than people.',
    description:
      'Reasoning in many short forms: logic, dates, tables, moves, word order. The answer is a choice such as "(B)", a word or a number. The model thinks ' +
      'aloud and ends on "the answer is", or answers at once; the answer is compared with the reference by the rule of the authors.',
    howMade: 'Selected by Suzgun et al. in 2022 from the tasks of BIG-Bench, most with 250 examples.',
    knownLimits: [
      'The data carry a marker that asks to keep them out of training; whether everybody has done so is not known.',
      'A correct answer in a different form than requested counts as wrong.',
      'Any of the 27 files can be imported; a score over some of them is not the score of the benchmark.',
      'The published means are over 23 tasks, with the three sizes of two of them averaged first; the mean here is over all questions.',
    ],
    runner: 'lm-eval',
    capabilities: ['reasoning'],
    license: { name: 'MIT', url: `${repository}/blob/main/LICENSE` },
    citation: 'Suzgun et al. (2022), Challenging BIG-Bench Tasks and Whether Chain-of-Thought Can Solve Them, arXiv:2210.09261',
    homepage: repository,
    profiles: [
      {
        key: 'zero-shot',
        title: 'Zero-shot, thinking aloud',
        summary: 'The question, with the request to think step by step and end on "So the answer is".',
        split: 'test',
        systemPrompt: null,
        promptTemplate: '{question}\n\nThink step by step. Then end with one sentence in the form\nSo the answer is <answer>.',
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
        metrics: [
          authorsMetric,
          binaryMetric(
            'exact_match_lm_eval',
            'Exact match as lm-evaluation-harness extracts it (loses a last bracket)',
            'lm_eval/exact_match',
            {
              options: { regex: { regex_pattern: '(?<=the answer is )(.*)(?=.)', group_select: 0 } },
            },
          ),
          binaryMetric('match_end', 'Ends on the answer', 'inspect_ai/match'),
        ],
        requires: ['chat'],
        chanceLevel: null,
        breakdowns: ['subtask'],
      },
      {
        key: 'answer-only',
        title: 'Zero-shot, answer only',
        summary: 'The question, with the request to give the answer and nothing else.',
        split: 'test',
        systemPrompt: null,
        promptTemplate: '{question}\n\nGive only the answer, in the form that the question asks for, without any explanation.',
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 256, stop: [] },
        metrics: [authorsMetric, binaryMetric('match_end', 'Ends on the answer', 'inspect_ai/match')],
        requires: ['chat'],
        chanceLevel: null,
        breakdowns: ['subtask'],
      },
    ],
  },
  files: subtasks.map(fileOf),
  parts: { by: 'subtask', tasks: Object.fromEntries(subtasks.map(subtask => [subtask, smaller[subtask] ?? 250])), inFiles: true },
}

function fileOf(subtask: string): RecipeFile {
  return {
    role: subtask,
    required: false,
    fileName: `${subtask}.json`,
    url: `https://raw.githubusercontent.com/suzgunmirac/BIG-Bench-Hard/main/bbh/${subtask}.json`,
    download: direct,
    sha256: known[subtask] ?? null,
    purpose: `The tasks of "${subtask.replaceAll('_', ' ')}".`,
    content: { format: anyForm({ kind: 'json', key: 'examples' }), holds: 'tasks', read: taskReader(subtask) },
  }
}

function taskReader(subtask: string): (row: Row) => Task {
  return row => ({
    ...rowTask(subtask, row),
    fields: { question: textField(row, 'input') },
    targets: [textField(row, 'target')],
    metadata: { subtask, answer_template: 'So the answer is {answer}.' },
    capabilities: ['reasoning'],
  })
}
