import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startLlama } from '../../../src/workers/llama-process.ts'
import { testRuntime } from '../../support/local-runtime.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { hasTinyModel, tinyModel, withoutTinyModel } from '../../support/tiny-model.ts'

const prompts = Number(process.env['ASSAY_LIKELIHOODS'] ?? 12)
const words = 'river stone cloud seven market winter copper letter garden island motor pencil yellow orbit window'.split(' ')

test.skipIf(!hasTinyModel)(
  `likelihoods of choices agree with an exact forward pass ${hasTinyModel ? '' : withoutTinyModel}`,
  async ({ skip }) => {
    const runtimes = await testRuntime()
    skip(runtimes === null, 'the runtime could not be downloaded')
    const { path, remove } = temporaryFolder()
    onTestFinished(remove)
    const tiny = await tinyModel()
    const modelPath = tiny.write(path)
    const modules = join(runtimes ?? '', 'llama-3.21.1', 'node_modules')
    const load = { modules, backend: 'cpu', modelPath, contextTokens: 2_048, sequences: 4, threads: 1, cacheType: 'f32' } as const
    const model = startLlama({ load, files: [modelPath], startProcess: null })
    onTestFinished(() => model.kill())
    const { signal } = new AbortController()
    let seed = 11
    const draw = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    const word = () => words[draw(words.length)] ?? ''
    for (let i = 0; i < prompts; i++) {
      const context = `Q${i}: ${Array.from({ length: 2 + draw(6) }, word).join(' ')}?\nAnswer:${draw(4) === 0 ? ' ' : ''}`
      const continuations = i % 2 === 0 ? [' A', ' B', ' C', ' D'] : Array.from({ length: 4 }, () => ` ${word()} ${word()}`)
      const answer = await model.ask({ kind: 'measure', context, continuations }, signal)
      if (answer.kind !== 'measured') throw new Error(`Not measured: ${JSON.stringify(answer)}`)
      const measured = answer.items.map(({ logprob }) => logprob)
      const exact = continuations.map(continuation => tiny.loglikelihood(context, continuation))
      for (const [at, { logprob, isGreedy }] of exact.entries()) {
        expect(Math.abs(logprob - (measured[at] ?? Number.NaN))).toBeLessThan(0.02)
        expect(answer.items[at]?.isGreedy).toBe(isGreedy)
      }
      const best = exact.map(({ logprob }) => logprob)
      const [first = 0, second = 0] = best.toSorted((a, b) => b - a)
      if (first - second > 0.05) expect(measured.indexOf(Math.max(...measured))).toBe(best.indexOf(first))
    }
  },
)
