import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginningOfText, exactPass, tinyGguf, tinyWeights } from './tiny-gguf.ts'

/** A llama of 480 kB with a byte-level vocabulary, and its log-probabilities by a plain forward pass. */
export interface TinyModel {
  /** The file’s bytes. */
  readonly gguf: Buffer
  /** The same vocabulary in a file without weights. */
  readonly vocabulary: Buffer
  /** Writes it into a folder and answers the path. */
  write(folder: string, name?: string, change?: (gguf: Buffer) => Buffer): string
  /**
   * Log-likelihood of a continuation in nats, and whether it is greedy. The first token is the file’s own beginning of a text, blanks at
   * the end of the context count to the continuation; a token is a byte.
   */
  loglikelihood(context: string, continuation: string): { readonly logprob: number; readonly isGreedy: boolean }
  /** What the model says next by itself; null where that is no printable ASCII character. */
  nextCharacter(context: string): string | null
  /** Of a whole text, in windows of this many tokens as lm-eval makes them. */
  rollingLoglikelihood(text: string, windowTokens: number): number
}

/** The same file with a name in it spelled otherwise, which must be as long. */
export function renamed(gguf: Buffer, name: string, other: string): Buffer {
  return Buffer.from(gguf.toString('latin1').replaceAll(name, other), 'latin1')
}

/** @param tokens of the vocabulary; those beyond the file’s own are never written */
export function tinyModel(seed = 7, tokens = 0): TinyModel {
  const weights = tinyWeights(seed, tokens)
  const gguf = tinyGguf(weights, tokens)
  const exactLogprobs = exactPass(weights)
  return {
    gguf,
    vocabulary: tinyGguf({}, tokens),
    write: (folder, name = 'tiny.gguf', change = bytes => bytes) => {
      const path = join(folder, name)
      writeFileSync(path, change(gguf))
      return path
    },
    loglikelihood: (context, continuation) => {
      const trimmed = context.trimEnd()
      const [before, after] = [bytesOf(trimmed), bytesOf(context.slice(trimmed.length) + continuation)]
      const ids = [beginningOfText, ...before, ...after]
      const rows = exactLogprobs(ids)
      let [logprob, isGreedy] = [0, true]
      for (let at = 1 + before.length; at < ids.length; at++) {
        const row = rows[at - 1] ?? new Float64Array()
        const own = row[ids[at] ?? -1] ?? Number.NaN
        logprob += own
        isGreedy &&= row.every(other => other <= own)
      }
      return { logprob, isGreedy }
    },
    nextCharacter: context => {
      const row = exactLogprobs([beginningOfText, ...bytesOf(context)]).at(-1) ?? new Float64Array()
      const byte = row.indexOf(Math.max(...row))
      return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : null
    },
    rollingLoglikelihood: (text, windowTokens) => {
      const ids = bytesOf(text)
      let sum = 0
      for (let done = 0; done < ids.length; ) {
        const end = Math.min(done + windowTokens, ids.length)
        const input = done === 0 ? [beginningOfText, ...ids.slice(0, end - 1)] : ids.slice(end - windowTokens - 1, end - 1)
        const rows = exactLogprobs(input)
        for (let i = done; i < end; i++) sum += rows[rows.length - (end - i)]?.[ids[i] ?? -1] ?? Number.NaN
        done = end
      }
      return sum
    },
  }
}

function bytesOf(text: string): number[] {
  return [...Buffer.from(text)]
}
