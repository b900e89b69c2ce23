import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A llama of 480 kB with a byte-level vocabulary, and its log-probabilities by a plain forward pass. */
export interface TinyModel {
  /** The file’s bytes. */
  readonly gguf: Buffer
  /** Writes it into a folder and answers the path. */
  write(folder: string, name?: string): string
  /**
   * Log-likelihood of a continuation in nats, and whether it is greedy. The first token is the file’s own beginning of a text, blanks at
   * the end of the context count to the continuation; a token is a byte.
   */
  loglikelihood(context: string, continuation: string): { readonly logprob: number; readonly isGreedy: boolean }
}

interface MakeTiny {
  weights(seed?: number): unknown
  gguf(weights: unknown): Buffer
  logprobs(weights: unknown, ids: readonly number[]): Float64Array[]
}

const source = new URL('../../../shared/gguf/make-tiny.mjs', import.meta.url)
export const hasTinyModel = existsSync(source)
export const withoutTinyModel = '(skipped where ../shared/gguf is absent)'

const beginningOfText = 256

export async function tinyModel(seed = 7): Promise<TinyModel> {
  const make = (await import(source.href)) as MakeTiny
  const weights = make.weights(seed)
  const gguf = make.gguf(weights)
  return {
    gguf,
    write: (folder, name = 'tiny.gguf') => {
      const path = join(folder, name)
      writeFileSync(path, gguf)
      return path
    },
    loglikelihood: (context, continuation) => {
      const trimmed = context.trimEnd()
      const [before, after] = [bytesOf(trimmed), bytesOf(context.slice(trimmed.length) + continuation)]
      const ids = [beginningOfText, ...before, ...after]
      const rows = make.logprobs(weights, ids)
      let [logprob, isGreedy] = [0, true]
      for (let at = 1 + before.length; at < ids.length; at++) {
        const row = rows[at - 1] ?? new Float64Array()
        const own = row[ids[at] ?? -1] ?? Number.NaN
        logprob += own
        isGreedy &&= row.every(other => other <= own)
      }
      return { logprob, isGreedy }
    },
  }
}

function bytesOf(text: string): number[] {
  return [...Buffer.from(text)]
}
