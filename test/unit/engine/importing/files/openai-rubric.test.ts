import { describe, expect, test } from 'vitest'
import { lines, lookAt, type SentFile } from './look-at.ts'

const samples = (...rows: readonly unknown[]): SentFile => ({ name: 'samples.jsonl', content: lines(...rows) })
const sample = { input: 'Translate: salut', ideal: ['hi', 'hello'] }

/** A registry of one eval with the grading that it names. */
function judged(args: readonly string[], grading: readonly string[], ...rows: readonly unknown[]) {
  const yaml = [
    'demo:',
    '  id: demo.v0',
    'demo.v0:',
    '  class: evals.elsuite.modelgraded.classify:ModelBasedClassify',
    '  args:',
    '    samples_jsonl: demo/samples.jsonl',
    '    modelgraded_spec: spec',
    ...args.map(line => `    ${line}`),
  ]
  const spec = ['spec:', ...grading.map(line => `  ${line}`)]
  return lookAt('openai_evals_jsonl', [
    { name: 'demo.yaml', content: yaml.join('\n') },
    { name: 'spec.yaml', content: spec.join('\n') },
    samples(...(rows.length > 0 ? rows : [sample])),
  ])
}

const oneAnswer = ['input_outputs:', '  input: completion']

describe('the rubric of a model’s grading in OpenAI evals', () => {
  test('has the arguments of its eval, every reference answer, and what each choice is worth', async () => {
    const { tasks, problems } = await judged(
      ['modelgraded_spec_args: {language: Urdu}'],
      [
        'prompt: "Is {completion} the {language} for {ideal}? {unknown}"',
        'choice_strings: "12"',
        'choice_scores: from_strings',
        ...oneAnswer,
      ],
    )
    expect(problems).toEqual([])
    expect(tasks[0]?.targets).toEqual([
      "Is (the output) the Urdu for ['hi', 'hello']? {unknown}\n\nThe choices are 1, 2. Each is its own score.",
    ])
  })

  test('is filled once, with the answer by the name that it has there', async () => {
    const { tasks } = await judged(
      ['modelgraded_spec_args: {criteria: "Is {ideal} fine?"}'],
      ['prompt: "{criteria} {answer} {input}"', 'input_outputs: {input: answer}'],
    )
    expect(tasks[0]?.targets).toEqual(['Is {ideal} fine? (the output) (the input)'])
  })

  test('says what of it is left out', async () => {
    const { tasks, warnings } = await judged([], [`prompt: "${'x'.repeat(20_001)}"`, 'choice_strings: from_n_abc', ...oneAnswer])
    expect(tasks[0]?.targets).toEqual(['x'.repeat(20_000)])
    expect(warnings).toContain('The rubric is cut after 20,000 characters.')
    expect(warnings).toContain('The choices ("from_n_abc") are the numbers of several answers and are left out.')
  })

  test('has the texts of criteria that are given by name, and says that one verdict is given on all', async () => {
    const one = await judged(
      ['modelgraded_spec_args: {criteria: {short: "short: Is it short?"}}'],
      ['prompt: "By {criteria}"', ...oneAnswer],
    )
    expect(one.tasks[0]?.targets).toEqual(['By short: Is it short?'])
    expect(one.warnings.join()).not.toContain('together')
    const two = await judged(
      ['modelgraded_spec_args: {criteria: {short: "Is it short?", polite: "Is it polite?"}}'],
      ['prompt: "By {criteria}"', ...oneAnswer],
    )
    expect(two.tasks[0]?.targets).toEqual(['By Is it short?\nIs it polite?'])
    expect(two.warnings).toContain('One verdict is given on all 2 of its criteria together.')
  })

  test('names settings that are not imported, and labels of a judge that are not used', async () => {
    const { warnings, tasks } = await judged(
      ['eval_type: cot_classify', 'metaeval: true', 'sample_kwargs: {temperature: 0.4}'],
      ['prompt: "Fine?"', ...oneAnswer],
    )
    expect(tasks).toHaveLength(1)
    expect(warnings).toContainEqual('Settings of "demo" that are not imported: sample_kwargs.')
    expect(warnings).toContainEqual(expect.stringContaining('("metaeval") by answers and verdicts in its samples. They are not used'))
  })

  test.each([
    [
      'two questions a sample',
      [],
      ['input_outputs: {input1: completion1, input2: completion2}'],
      /asks "input1", "input2" of each sample and compares .* Send its/,
    ],
    ['one question by another name', [], ['input_outputs: {question: completion}'], /^"demo" asks "question" .* Rename it in the samples/],
    [
      'several answers to one',
      ['multicomp_n: from_models'],
      oneAnswer,
      /several answers to one prompt \("multicomp_n"\).* Send its samples alone/,
    ],
  ])('is refused by its eval, with what to do, for %s', async (_, args, asked, message) => {
    const { problems } = await judged(args, ['prompt: "Which is best?"', ...asked])
    expect(problems).toMatchObject([{ file: 'demo.yaml', line: 3, message: expect.stringMatching(message) }])
  })
})
