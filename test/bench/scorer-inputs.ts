import { bundledContent } from '../support/bundled-content.ts'
import type { ScoreInput } from '../../src/engine/grading/scorers/scorer.ts'
import { hasSharedData, sharedLines } from '../support/shared-data.ts'

export interface ScorerFamily {
  readonly scorer: string
  readonly options: Readonly<Record<string, unknown>>
  /** Where the outputs are from. */
  readonly from: string
  readonly inputs: readonly ScoreInput[]
}

/** What each family of text scorers is given: recorded answers of models where they are beside the repository, worked solutions made here otherwise. */
export function familiesToScore(): ScorerFamily[] {
  const solutions = hasSharedData ? recordedSolutions() : madeSolutions()
  const solved = (scorer: string, options: Readonly<Record<string, unknown>> = {}, rewrite: Rewrite = asIs): ScorerFamily => ({
    scorer,
    options,
    from: hasSharedData ? 'GSM8K, recorded solutions' : 'made solutions',
    inputs: solutions.map(rewrite),
  })
  return [
    solved('assay/exact_match', { extraction: 'last_number' }),
    solved('inspect_ai/exact', {}, withOneNumber),
    solved('inspect_ai/match', { numeric: true }),
    solved('assay/includes'),
    solved('inspect_ai/includes'),
    solved('assay/pattern', { pattern: String.raw`(?:answer|A):?\s*(-?[\d.,]+)` }),
    solved('inspect_ai/pattern', { pattern: String.raw`A: *(-?[0-9.,]+)` }),
    solved('inspect_ai/f1'),
    solved('inspect_ai/math', {}, boxed),
    solved('hendrycks_math/is_equiv', {}, boxed),
    solved('lm_eval/gsm8k_strict', {}, withHashMarks),
    solved('lm_eval/gsm8k_flexible', {}, withHashMarks),
    solved('assay/choice', {}, asChoice),
    solved('inspect_ai/choice', {}, asChoice),
    ...(['ifeval/strict', 'ifeval/loose'] as const).map(scorer => ({
      scorer,
      options: {},
      from: hasSharedData ? 'IFEval, recorded responses' : 'bundled instructions',
      inputs: hasSharedData ? recordedResponses() : bundledResponses(),
    })),
  ]
}

type Rewrite = (input: ScoreInput, i: number) => ScoreInput
const asIs: Rewrite = input => input
const letters = ['A', 'B', 'C', 'D'] as const

function withOneNumber(input: ScoreInput): ScoreInput {
  return { ...input, output: input.output.slice(-12) }
}

function boxed(input: ScoreInput, i: number): ScoreInput {
  return { ...input, output: `${input.output}\nSo the result is $\\boxed{${i % 3 === 0 ? i : input.targets[0]}}$.` }
}

function withHashMarks(input: ScoreInput, i: number): ScoreInput {
  return { ...input, output: `${input.output}\n#### ${i % 3 === 0 ? i : input.targets[0]}` }
}

function asChoice(input: ScoreInput, i: number): ScoreInput {
  const said = letters[i % 4] ?? 'A'
  return { output: `${input.output}\nANSWER: ${said}`, targets: ['B'], choices: ['one', 'two', 'three', 'four'] }
}

function recordedSolutions(): ScoreInput[] {
  const tasks = sharedLines('gsm8k/test.jsonl')
  const columns = ['6b_finetuning', '6b_verification', '175b_finetuning', '175b_verification']
  return sharedLines('gsm8k/example_model_solutions.jsonl').flatMap((row, i) => {
    const target = String(tasks[i]?.['answer']).split('#### ')[1] ?? ''
    return columns.map((column): ScoreInput => ({ output: solutionIn(row[column]), targets: [target] }))
  })
}

function solutionIn(recorded: unknown): string {
  return typeof recorded === 'object' && recorded !== null && 'solution' in recorded ? String(recorded.solution) : ''
}

/** Of the length of a short worked solution, no two alike. */
function madeSolutions(): ScoreInput[] {
  return Array.from({ length: 2_000 }, (_, i) => {
    const [eggs, price] = [3 + (i % 97), 2 + (i % 41)]
    const lines = [
      `Each hen lays ${eggs} eggs in a week, of which ${i % 3} are eaten.`,
      `That leaves ${eggs} - ${i % 3} = <<${eggs}-${i % 3}=${eggs - (i % 3)}>>${eggs - (i % 3)} eggs to sell.`,
      `At $${price} each they bring in ${eggs - (i % 3)} * ${price} = <<${eggs - (i % 3)}*${price}=${(eggs - (i % 3)) * price}>>${(eggs - (i % 3)) * price} dollars.`,
      `A: ${(eggs - (i % 3)) * price + (i % 5 === 0 ? 1 : 0)}`,
    ]
    return { output: lines.join('\n'), targets: [String((eggs - (i % 3)) * price)] }
  })
}

function recordedResponses(): ScoreInput[] {
  const responses = new Map(
    sharedLines('ifeval/input_response_data_gpt4_20231107_145030.jsonl').map(({ prompt, response }) => [String(prompt), String(response)]),
  )
  return sharedLines('ifeval/input_data.jsonl').map(metadata => ({
    output: responses.get(String(metadata['prompt'])) ?? '',
    targets: [],
    metadata,
  }))
}

function bundledResponses(): ScoreInput[] {
  const tasks = bundledContent('instruction-following').tasks
  return tasks.map(({ metadata }, i) => ({
    output: `${'A plain sentence about gardens and rain. '.repeat(20)}${i}`,
    targets: [],
    metadata,
  }))
}
