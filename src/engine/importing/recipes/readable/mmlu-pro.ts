import { presentField, scalarText, textField, textsField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Shot, Task } from '../../../tasks/task.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import type { Recipe, RecipeFile } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { choiceProfile } from '../../../content/benchmarks/choice-profile.ts'

const home = 'https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro'

export const mmluPro: Recipe = {
  definition: {
    slug: 'mmlu-pro',
    provider: 'tiger-lab',
    name: 'mmlu-pro',
    title: 'MMLU-Pro',
    summary: 'Harder multiple-choice questions with up to ten choices.',
    description:
      'A harder successor of MMLU: more choices, fewer trivial questions, more reasoning. The 5-shot profile asks as lm-evaluation-harness does: five ' +
      'worked examples of the same field that think aloud, then the question; the letter after "answer is" counts.',
    howMade: 'Chosen and extended from MMLU and other sources and reviewed by experts (Wang et al., 2024).',
    knownLimits: [
      'The number of choices varies, so the level of blind guessing does too.',
      'The published extraction accepts only "answer is (X)" and counts other forms as wrong.',
    ],
    runner: 'lm-eval',
    capabilities: ['knowledge', 'reasoning'],
    license: { name: 'MIT', url: home },
    citation: 'Wang et al. (2024), MMLU-Pro: A More Robust and Challenging Multi-Task Language Understanding Benchmark, arXiv:2406.01574',
    homepage: home,
    profiles: [
      {
        key: '5-shot',
        title: '5-shot, thinking aloud',
        summary: 'Five worked examples of the same field, then the question; the letter after "answer is" counts.',
        split: 'test',
        systemPrompt: null,
        introTemplate:
          'The following are multiple choice questions (with answers) about {category}. Think step by step and then finish your answer with "the answer is (X)" where X is the correct letter choice.\n',
        promptTemplate: "Question:\n{question}\nOptions:\n{options}\nAnswer: Let's think step by step.",
        shotTemplate: 'Question:\n{question}\nOptions:\n{options}\n{solution}\n\n',
        shots: 5,
        shotsBy: 'category',
        generation: { temperature: 0, max_output_tokens: 2048, stop: ['</s>', 'Q:', '<|im_end|>'] },
        metrics: [
          binaryMetric('exact_match', 'Exact match after "answer is"', 'lm_eval/exact_match', {
            primary: true,
            options: {
              regex: { regex_pattern: String.raw`answer is \(?([ABCDEFGHIJ])\)?`, group_select: 0 },
              ignore_case: true,
              ignore_punctuation: true,
            },
          }),
        ],
        requires: ['chat'],
        chanceLevel: null,
        breakdowns: ['category'],
      },
      { ...choiceProfile, generation: { ...choiceProfile.generation, max_output_tokens: 2048 }, breakdowns: ['category'] },
    ],
  },
  files: [
    file('test', true, 'The test questions.'),
    {
      ...file('validation', false, 'Five worked examples of each field, for the 5-shot profile.'),
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'shots', read: readShot },
    },
  ],
}

function file(role: string, required: boolean, purpose: string): RecipeFile {
  return {
    role,
    required,
    fileName: `${role}-00000-of-00001.parquet`,
    url: `${home}/tree/main/data`,
    // Hugging Face redirects to hosts that change.
    download: null,
    sha256: null,
    purpose,
    content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readTask },
  }
}

function readTask(row: Row): Task {
  const choices = textsField(row, 'options')
  const answer = textField(row, 'answer').trim()
  const at = choices.findIndex((_, i) => choiceLabel(i) === answer)
  if (at < 0) throw new RowError(`The answer "${answer.slice(0, 20)}" is the letter of none of the ${choices.length} options.`)
  const index = row.value['answer_index']
  if (index !== undefined && index !== null && Number(index) !== at)
    throw new RowError(`"answer" is ${answer}, but "answer_index" is ${scalarText(index, 'answer_index')}.`)
  const category = textField(row, 'category')
  return {
    id: scalarText(presentField(row, 'question_id'), 'question_id'),
    split: 'test',
    fields: { question: textField(row, 'question'), options: optionLines(choices), category },
    targets: [answer],
    choices,
    metadata: { category, answer_template: 'The answer is ({answer}).\nANSWER: {answer}' },
    capabilities: ['knowledge', 'reasoning'],
    dependsOn: [],
  }
}

/** Its solution begins "A: Let's think step by step."; lm-evaluation-harness writes the word out. */
function readShot(row: Row): Shot {
  return {
    fields: {
      question: textField(row, 'question'),
      options: optionLines(textsField(row, 'options')),
      solution: textField(row, 'cot_content').replace("A: Let's think step by step.", "Answer: Let's think step by step."),
    },
    group: textField(row, 'category'),
  }
}

function optionLines(choices: readonly string[]): string {
  return choices.map((choice, i) => `${choiceLabel(i)}. ${choice}`).join('\n')
}
