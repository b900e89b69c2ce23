import { textField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import type { Shot, Task } from '../../../tasks/task.ts'
import type { ProfileDefinition } from '../../../tasks/definition.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { rowTask } from './row-task.ts'

const repository = 'https://github.com/openai/grade-school-math'
const data = 'https://raw.githubusercontent.com/openai/grade-school-math/3101c7d5072418e28b9008a6636bde82a006892c/grade_school_math/data'

const bothExtractions = [
  binaryMetric('exact_match_flexible', 'Exact match, flexible', 'lm_eval/gsm8k_flexible', { primary: true }),
  binaryMetric('exact_match_strict', 'Exact match, strict', 'lm_eval/gsm8k_strict'),
]

const shared = { split: 'test', systemPrompt: null, requires: ['chat'], chanceLevel: null, breakdowns: [] } as const

const profiles: readonly ProfileDefinition[] = [
  {
    ...shared,
    key: 'zero-shot',
    title: 'Zero-shot',
    summary: 'The problem alone, with the request to end on "#### " and the number.',
    promptTemplate: '{question}\n\nWork it out step by step. Then write the final number alone on the last line in the form\n#### <number>',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
    metrics: bothExtractions,
  },
  {
    ...shared,
    requires: ['completion'],
    key: '5-shot',
    title: '5-shot',
    summary: 'The first five training problems with their solutions, then the problem, laid out as lm-evaluation-harness does.',
    promptTemplate: 'Question: {question}\nAnswer:',
    shotTemplate: 'Question: {question}\nAnswer: {answer}\n\n',
    shots: 5,
    generation: { temperature: 0, max_output_tokens: 512, stop: ['Question:', '</s>', '<|im_end|>'] },
    metrics: bothExtractions,
  },
  {
    ...shared,
    key: 'answer-line',
    title: 'Answer line',
    summary: 'Asks to end on "A: " and the number, as the solutions do that were published with the data set.',
    promptTemplate: '{question}\n\nWork it out step by step. Then give the final number on the last line in the form\nA: <number>',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
    metrics: [
      binaryMetric('exact_match', 'Exact match of the answer line', 'assay/exact_match', {
        primary: true,
        options: { extraction: 'answer_line', remove: [','] },
      }),
    ],
  },
]

export const gsm8k: Recipe = {
  definition: {
    slug: 'gsm8k',
    provider: 'openai',
    name: 'gsm8k',
    title: 'GSM8K',
    summary: 'Grade school maths word problems that take two to eight steps.',
    description:
      'Whether a model can solve maths word problems of the kind set in primary and middle school. Answers are whole numbers. Two metrics read the same ' +
      'answer: flexible takes the last number in the text, strict only the number after "####". Flexible is the one the benchmark is known by here, ' +
      'because it measures the arithmetic and not the form of the answer. The two can differ by many points for the same answers, so a score says little ' +
      'without the name of its metric.',
    howMade:
      'Written by hired problem writers for OpenAI in 2021; other writers solved each problem again to check it. 7,473 training and 1,319 test problems.',
    knownLimits: [
      'The test set has been public since 2021 and is in the training data of many models.',
      'Some published answers are wrong and some questions are unclear, so a perfect score is not possible.',
      'Most current models solve nearly all of it.',
    ],
    runner: 'lm-eval',
    capabilities: ['arithmetic', 'multi-step reasoning'],
    license: { name: 'MIT', url: `${repository}/blob/master/LICENSE` },
    citation: 'Cobbe et al. (2021), Training Verifiers to Solve Math Word Problems, arXiv:2110.14168',
    homepage: repository,
    profiles,
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'test.jsonl',
      url: `${data}/test.jsonl`,
      download: { ...direct, bytes: 749_738 },
      sha256: '3730d312f6e3440559ace48831e51066acaca737f6eabec99bccb9e4b3c39d14',
      purpose: 'The 1,319 test problems.',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readTask },
    },
    {
      role: 'train',
      required: false,
      fileName: 'train.jsonl',
      url: `${data}/train.jsonl`,
      download: { ...direct, bytes: 4_166_206 },
      sha256: '17f347dc51477c50d4efb83959dbb7c56297aba886e5544ee2aaed3024813465',
      purpose: 'Its first five problems are the worked examples of the 5-shot profile.',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'shots', read: readShot },
    },
  ],
}

function readTask(row: Row): Task {
  const question = textField(row, 'question')
  const answer = textField(row, 'answer')
  return {
    ...rowTask('test', row),
    fields: { question },
    targets: [finalNumber(answer)],
    // Both forms of ending, so that baselines answer every profile in its format.
    metadata: { solution: answer, answer_template: 'A: {answer}\n#### {answer}' },
    capabilities: ['arithmetic', 'multi-step reasoning'],
  }
}

function readShot(row: Row): Shot {
  const answer = textField(row, 'answer')
  finalNumber(answer)
  return { fields: { question: textField(row, 'question'), answer } }
}

/** The number after the last `#### `, without thousands separators. */
function finalNumber(answer: string): string {
  const mark = answer.lastIndexOf('#### ')
  if (mark < 0) throw new RowError('The field "answer" has no line "#### <number>" with the final answer.')
  const number = answer
    .slice(mark + 5)
    .trim()
    .replaceAll(',', '')
  if (!/^-?\d+(?:\.\d+)?$/.test(number)) throw new RowError(`The final answer after "####" is not a number: "${number.slice(0, 40)}".`)
  return number
}
