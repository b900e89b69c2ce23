import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import type { MetricResult } from '../../src/contract/runs/results.schemas.ts'
import { promptText } from '../../src/contract/messages/message-text.ts'
import { type LocalModelService, startLocalModel } from '../support/local-model-service.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import type { TinyModel } from '../support/tiny-model.ts'
import { importToEnd } from './imports-upload.ts'

/** Of a sum over a sample, in nats. */
const tolerance = 0.02

let local: LocalModelService | string
beforeAll(async () => {
  local = await startLocalModel()
})
afterAll(async () => {
  if (typeof local !== 'string') await local[Symbol.asyncDispose]()
})

const words = 'river stone cloud seven market winter copper letter garden island motor pencil yellow orbit window'.split(' ')
const wordAt = (i: number) => words[i % words.length] ?? ''
const phrase = (from: number, length: number) => Array.from({ length }, (_, i) => wordAt(from * 7 + i * 4)).join(' ')

interface HarnessTask {
  readonly name: string
  readonly yaml: string
  readonly rows: readonly object[]
}

interface MeasuredSample {
  readonly taskId: string
  readonly prompt: string
  readonly output: { readonly loglikelihoods: number[]; readonly unconditional_loglikelihoods?: number[]; readonly greedy: boolean[] }
  readonly choices: readonly string[]
}

/** Imports a task of lm-evaluation-harness as it is and runs it on the file. */
async function run({ service, model }: LocalModelService, { name, yaml, rows }: HarnessTask) {
  const record = await importToEnd(service, {
    fields: { format: 'lm_eval_yaml', name },
    files: [
      { name: 'task.yaml', content: yaml },
      { name: 'test.jsonl', content: rows.map(row => JSON.stringify(row)).join('\n') },
    ],
  })
  expect(record).toMatchObject({ status: 'imported', error_count: 0 })
  const profile = await profileId(service.client, name.toLowerCase().replaceAll(' ', '-'), 'zero-shot')
  const quoted = await quote(service.client, { model, profiles: [profile] })
  expect(quoted.compatibility.checks.filter(({ status }) => status === 'fail')).toEqual([])
  const { id, status } = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoted.id)).id)
  expect(status).toBe('complete')
  const { metrics } = await service.client.call('getRunResults', { params: { run_id: id } })
  const { items } = await service.client.call('listSamples', { params: { run_id: id }, query: { limit: 100 } })
  expect(items).toHaveLength(rows.length)
  const samples = await Promise.all(
    items.map(async ({ id: sample_id }): Promise<MeasuredSample> => {
      const sample = await service.client.call('getSample', { params: { run_id: id, sample_id } })
      return {
        taskId: sample.task_id,
        prompt: promptText(sample.messages),
        output: JSON.parse(sample.output ?? ''),
        choices: sample.choices ?? [],
      }
    }),
  )
  samples.sort((a, b) => Number(a.taskId.slice(4)) - Number(b.taskId.slice(4)))
  return { metrics, samples }
}

function figure(metrics: readonly MetricResult[], metric: string): MetricResult {
  const found = metrics.find(({ metric: id }) => id === metric)
  if (!found) throw new Error(`There is no metric ${metric}.`)
  return found
}

function best(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}

function meanOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0) / items.length
}

/** The exact likelihoods of a sample’s choices, which those that were measured must equal. */
function exactOf(tiny: TinyModel, { prompt, choices, output }: MeasuredSample, delimiter: string): number[] {
  return choices.map((choice, i) => {
    const exact = tiny.loglikelihood(prompt, delimiter + choice)
    expect(Math.abs((output.loglikelihoods[i] ?? Number.NaN) - exact.logprob)).toBeLessThan(tolerance)
    expect(output.greedy[i]).toBe(exact.isGreedy)
    return exact.logprob
  })
}

const ready = (context: TestContext): LocalModelService => {
  if (typeof local === 'string') return context.skip(local)
  return local
}

describe('a task of lm-evaluation-harness on a GGUF file', () => {
  test('by letters (MMLU) has the accuracies and the Brier score of an exact evaluation', async context => {
    const { tiny } = ready(context)
    const rows = Array.from({ length: 6 }, (_, i) => ({
      question: `${phrase(i, 4)}?`,
      choices: [0, 1, 2, 3].map(no => phrase(i + no, 1)),
      answer: i % 4,
    }))
    const { metrics, samples } = await run(ready(context), {
      name: 'Mmlu like',
      yaml: `output_type: multiple_choice
test_split: test
doc_to_text: "{{question}}\\nA. {{choices[0]}}\\nB. {{choices[1]}}\\nC. {{choices[2]}}\\nD. {{choices[3]}}\\nAnswer:"
doc_to_choice: ["A", "B", "C", "D"]
doc_to_target: answer
metric_list: [{metric: acc}, {metric: acc_mutual_info}, {metric: brier_score}]
`,
      rows,
    })
    const expected = samples.map((sample, i) => {
      const conditional = exactOf(tiny, sample, ' ')
      const unconditional = sample.choices.map(choice => tiny.loglikelihood('', ` ${choice}`).logprob)
      for (const [at, value] of unconditional.entries())
        expect(Math.abs((sample.output.unconditional_loglikelihoods?.[at] ?? Number.NaN) - value)).toBeLessThan(tolerance)
      const weights = conditional.map(Math.exp)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      return {
        acc: best(conditional) === i % 4 ? 1 : 0,
        information: best(conditional.map((value, at) => value - (unconditional[at] ?? 0))) === i % 4 ? 1 : 0,
        brier: weights.reduce((sum, weight, at) => sum + (weight / total - (at === i % 4 ? 1 : 0)) ** 2, 0),
      }
    })
    expect(figure(metrics, 'acc').estimate.mean).toBeCloseTo(
      meanOf(expected, ({ acc }) => acc),
      10,
    )
    expect(figure(metrics, 'acc_mutual_info').estimate.mean).toBeCloseTo(
      meanOf(expected, ({ information }) => information),
      10,
    )
    const brier = figure(metrics, 'brier_score')
    expect(brier.original?.name).toBe('brier_score')
    expect(brier.original?.value).toBeCloseTo(
      meanOf(expected, of => of.brier),
      3,
    )
    expect(brier.original?.low).toBeLessThan(brier.original?.value ?? 0)
  })

  test('by endings (HellaSwag) has acc, acc_norm and acc_bytes', async context => {
    const { tiny } = ready(context)
    const rows = Array.from({ length: 6 }, (_, i) => ({
      start: `The ${phrase(i, 3)}`,
      endings: [1, 2, 3].map(no => phrase(i + no, no)),
      label: String(i % 3),
    }))
    const { metrics, samples } = await run(ready(context), {
      name: 'Hellaswag like',
      yaml: `output_type: multiple_choice
test_split: test
doc_to_text: "{{start}}"
doc_to_choice: endings
doc_to_target: "{{label}}"
metric_list: [{metric: acc}, {metric: acc_norm}, {metric: acc_bytes}]
`,
      rows,
    })
    const expected = samples.map((sample, i) => {
      const sums = exactOf(tiny, sample, ' ')
      const perCharacter = sums.map((sum, at) => sum / (sample.choices[at]?.length ?? 0))
      return { acc: best(sums) === i % 3 ? 1 : 0, acc_norm: best(perCharacter) === i % 3 ? 1 : 0 }
    })
    expect(figure(metrics, 'acc').estimate.mean).toBeCloseTo(
      meanOf(expected, ({ acc }) => acc),
      10,
    )
    for (const metric of ['acc_norm', 'acc_bytes'])
      expect(figure(metrics, metric).estimate.mean).toBeCloseTo(
        meanOf(expected, ({ acc_norm }) => acc_norm),
        10,
      )
  })

  test('that compares whole sentences (BLiMP) is measured from their first token', async context => {
    const { tiny } = ready(context)
    const rows = Array.from({ length: 5 }, (_, i) => ({ good: phrase(i, 3), bad: phrase(i + 5, 3) }))
    const { metrics, samples } = await run(ready(context), {
      name: 'Blimp like',
      yaml: `output_type: multiple_choice
test_split: test
doc_to_text: ""
doc_to_choice: "{{[good, bad]}}"
doc_to_target: 0
target_delimiter: ""
metric_list: [{metric: acc}]
`,
      rows,
    })
    const right = samples.map(sample => (best(exactOf(tiny, sample, '')) === 0 ? 1 : 0))
    expect(figure(metrics, 'acc').estimate.mean).toBeCloseTo(
      meanOf(right, one => one),
      10,
    )
  })

  test('that asks for a last word (LAMBADA) has greedy accuracy and perplexity', async context => {
    const { tiny } = ready(context)
    const known = Array.from({ length: 16 }, (_, i) => phrase(i, 3)).flatMap(text => {
      const last = tiny.nextCharacter(text)
      return last === null ? [] : [{ text, last }]
    })
    const rows = [...known.slice(0, 2), ...Array.from({ length: 3 }, (_, i) => ({ text: phrase(i, 5), last: ` ${wordAt(i)}` }))]
    const { metrics, samples } = await run(ready(context), {
      name: 'Lambada like',
      yaml: `output_type: loglikelihood
test_split: test
doc_to_text: "{{text}}"
doc_to_target: "{{last}}"
metric_list: [{metric: perplexity, aggregation: perplexity, higher_is_better: false}, {metric: acc, aggregation: mean}]
`,
      rows,
    })
    const sums = samples.map(sample => exactOf(tiny, sample, '')[0] ?? Number.NaN)
    const perplexity = figure(metrics, 'perplexity')
    expect(Math.log(perplexity.original?.value ?? 0)).toBeCloseTo(-meanOf(sums, one => one), 2)
    expect(perplexity.estimate.mean).toBeCloseTo(Math.exp(meanOf(sums, one => one)), 6)
    const isRight = samples.map(({ prompt }, i) => (tiny.loglikelihood(prompt, rows[i]?.last ?? '').isGreedy ? 1 : 0))
    expect(isRight.filter(one => one === 1)).toHaveLength(2)
    expect(figure(metrics, 'acc').estimate.mean).toBeCloseTo(
      meanOf(isRight, one => one),
      10,
    )
  })

  test('that measures whole texts has word and byte perplexity and bits per byte', async context => {
    const { tiny } = ready(context)
    const rows = Array.from({ length: 4 }, (_, i) => ({ text: `${phrase(i, 4 + i)}.\n${phrase(i + 3, 3)}\n` }))
    const { metrics, samples } = await run(ready(context), {
      name: 'Rolling like',
      yaml: `output_type: loglikelihood_rolling
test_split: test
doc_to_text: ""
doc_to_target: "{{text}}"
`,
      rows,
    })
    for (const sample of samples) expect(sample.prompt).toBe('')
    const sum = samples.reduce((all, sample) => all + (exactOf(tiny, sample, '')[0] ?? Number.NaN), 0)
    const count = (of: (text: string) => number) => rows.reduce((all, { text }) => all + of(text), 0)
    const bytes = count(text => Buffer.byteLength(text))
    // As `re.split(r"\s+", text)` has it: behind the last line end there is an empty word.
    const perWord = sum / count(text => text.split(/\s+/).length)
    expect(Math.log(figure(metrics, 'word_perplexity').original?.value ?? Number.NaN)).toBeCloseTo(-perWord, 3)
    expect(figure(metrics, 'byte_perplexity').original?.value).toBeCloseTo(Math.exp(-sum / bytes), 2)
    expect(figure(metrics, 'bits_per_byte').original?.value).toBeCloseTo(-sum / bytes / Math.LN2, 3)
    expect(figure(metrics, 'bits_per_byte').primary).toBe(false)
  })
})
