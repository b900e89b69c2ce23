import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type LlamaProcess, startLlama } from '../../../src/workers/llama-process.ts'
import { testRuntime } from '../../support/local-runtime.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type TinyModel, tinyModel } from '../../support/tiny-model.ts'

const prompts = Number(process.env['ASSAY_LIKELIHOODS'] ?? 12)
const together = 8 * prompts
const words = 'river stone cloud seven market winter copper letter garden island motor pencil yellow orbit window'.split(' ')

interface Started {
  readonly tiny: TinyModel
  readonly model: LlamaProcess
}

/** A loaded tiny model; null where the runtime cannot be downloaded. */
async function started(contextTokens: number): Promise<Started | null> {
  const runtimes = await testRuntime()
  if (runtimes === null) return null
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const tiny = tinyModel()
  const modelPath = tiny.write(path)
  const modules = join(runtimes, 'llama-3.21.1', 'node_modules')
  const load = { modules, backend: 'cpu', modelPath, contextTokens, sequences: 4, threads: 1, cacheType: 'f32' } as const
  const model = startLlama({ load, files: [modelPath], startProcess: null })
  onTestFinished(() => model.kill())
  return { tiny, model }
}

async function measured({ model }: Started, context: string, continuations: readonly string[]) {
  const answer = await model.ask({ kind: 'measure', context, continuations }, new AbortController().signal)
  if (answer.kind !== 'measured') throw new Error(`Not measured: ${JSON.stringify(answer)}`)
  return answer.items
}

describe('likelihoods', () => {
  test('of choices agree with an exact forward pass', async ({ skip }) => {
    const llama = await started(2_048)
    if (!llama) return skip('the runtime could not be downloaded')
    let seed = 11
    const draw = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    const word = () => words[draw(words.length)] ?? ''
    let largest = 0
    for (let i = 0; i < prompts; i++) {
      const context = `Q${i}: ${Array.from({ length: 2 + draw(6) }, word).join(' ')}?\nAnswer:${draw(4) === 0 ? ' ' : ''}`
      const continuations = i % 2 === 0 ? [' A', ' B', ' C', ' D'] : Array.from({ length: 4 }, () => ` ${word()} ${word()}`)
      const items = await measured(llama, context, continuations)
      const found = items.map(({ logprob }) => logprob)
      const exact = continuations.map(continuation => llama.tiny.loglikelihood(context, continuation))
      for (const [at, { logprob, isGreedy }] of exact.entries()) {
        largest = Math.max(largest, Math.abs(logprob - (found[at] ?? Number.NaN)))
        expect(items[at]?.isGreedy).toBe(isGreedy)
      }
      const best = exact.map(({ logprob }) => logprob)
      const [first = 0, second = 0] = best.toSorted((a, b) => b - a)
      if (first - second > 0.05) expect(found.indexOf(Math.max(...found))).toBe(best.indexOf(first))
    }
    console.info(`Largest difference of ${prompts} prompts: ${largest}`)
    expect(largest).toBeLessThan(0.02)
  })

  test('of texts without a context count from their first token, in windows where they are longer than the context', async ({ skip }) => {
    const llama = await started(256)
    if (!llama) return skip('the runtime could not be downloaded')
    const texts = ['A', 'Rivers run.', Array.from({ length: 90 }, (_, i) => words[(i * 7) % words.length]).join(' ')]
    expect(texts.at(-1)?.length).toBeGreaterThan(2 * 256)
    for (const text of texts) {
      const [item] = await measured(llama, '', [text])
      expect(item?.tokens).toBe(text.length)
      expect(Math.abs((item?.logprob ?? Number.NaN) - llama.tiny.rollingLoglikelihood(text, 255))).toBeLessThan(0.02)
    }
  })

  test('and answers of requests that are computed together are those of each alone', async ({ skip }) => {
    const llama = await started(2_048)
    if (!llama) return skip('the runtime could not be downloaded')
    const at = (i: number) => words[i % words.length] ?? ''
    const asked = Array.from({ length: together }, (_, i) => ({
      context: `Question: ${Array.from({ length: 12 + (i % 9) }, (__, k) => at(i * 7 + k * 3)).join(' ')}?\nAnswer:`,
      // Of several lengths: where they are alike, nothing is out of order in a batch.
      continuations: [` ${at(i)}`, ` ${at(i + 2)} ${at(i + 5)}`, ` ${at(i + 3)} ${at(i)} ${at(i + 7)}`],
    }))
    const answerOf = async (i: number) => {
      const { context, continuations } = asked[i] ?? { context: '', continuations: [] }
      if (i % 4 !== 3) return (await measured(llama, context, continuations)).map(({ logprob }) => logprob)
      const order = { kind: 'generate', prompt: context, temperature: 0, seed: 1, maxOutputTokens: 12, stop: [] } as const
      const answer = await llama.model.ask(order, new AbortController().signal)
      if (answer.kind !== 'generated') throw new Error(`Not generated: ${JSON.stringify(answer)}`)
      return answer.output
    }
    const places = asked.keys()
    const found: (string | number[])[] = []
    const askAll = async () => {
      for (const i of places) found[i] = await answerOf(i)
    }
    await Promise.all(Array.from({ length: 4 }, askAll))
    for (const i of asked.keys()) {
      const alone = await answerOf(i)
      if (typeof alone === 'string') expect(found[i]).toBe(alone)
      // A batch of another size rounds the last digits otherwise.
      else for (const [k, logprob] of alone.entries()) expect(found[i]?.[k]).toBeCloseTo(logprob, 3)
    }
  })
})
