import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { createLlamaEngine } from '../../src/workers/llama-engine.ts'
import type { LlamaModule } from '../../src/workers/llama-types.ts'
import { testRuntime } from '../support/local-runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { chooseBatch } from '../../src/workers/llama-batches.ts'
import { tinyModel } from '../support/tiny-model.ts'

/** Processor time per measured position of the tiny model with a vocabulary as large as that of current models. */
export async function benchLikelihoods(vocabulary: number): Promise<void> {
  const runtimes = await testRuntime()
  if (runtimes === null) return
  const folder = temporaryFolder()
  const modelPath = join(folder.path, 'padded.gguf')
  // The module that makes it is a program as well, which would take this command’s own argument.
  process.argv.length = 2
  writeFileSync(modelPath, tinyModel(7, vocabulary).gguf)
  const entry = join(runtimes, 'llama-3.21.1', 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
  const { getLlama, TokenBias } = (await import(pathToFileURL(entry).href)) as LlamaModule
  const llama = await getLlama({
    build: 'never',
    gpu: false,
    maxThreads: 1,
    logLevel: 'error',
    logger: () => {},
    progressLogs: false,
    skipDownload: true,
  })
  const model = await llama.loadModel({ modelPath, onLoadProgress: () => {} })
  const contextSize = 1_024
  const context = await model.createContext({
    contextSize,
    sequences: 1,
    batchSize: 512,
    threads: 1,
    flashAttention: false,
    batching: { itemPrioritizationStrategy: chooseBatch },
    experimentalKvCacheKeyType: 'F32',
    experimentalKvCacheValueType: 'F32',
  })
  const engine = createLlamaEngine({ model, context, sequences: 1, template: null, bias: () => TokenBias.for(model) })
  const { signal } = new AbortController()
  const measure = async (continuations: readonly string[], rounds: number) => {
    let tokens = 0
    const before = process.cpuUsage()
    for (let id = 0; id < rounds; id++)
      tokens += (await engine.measure({ kind: 'measure', id, context: `Question ${id}: which one?\nAnswer:`, continuations }, signal)).items
        .length
    const { user, system } = process.cpuUsage(before)
    return { items: tokens, cpuMs: (user + system) / 1_000 }
  }
  await measure([' A'], 3)
  // A space and a letter: the tokens are bytes.
  const letters = await measure(['A', 'B', 'C', 'D'], 20)
  const words = ['mountain', 'orbiting', 'windowed', 'yellowed']
  const texts = await measure(words, 20)
  const perLetter = letters.cpuMs / letters.items
  const perToken = texts.cpuMs / (texts.items * 8)
  console.log(
    `Vocabulary of ${vocabulary} tokens: ${perLetter.toFixed(1)} ms of processor time a letter, ${perToken.toFixed(1)} ms a continuation token`,
  )
  folder.remove()
  process.exit(0)
}
