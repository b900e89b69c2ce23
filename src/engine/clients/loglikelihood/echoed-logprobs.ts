import { z } from 'zod'
import type { Loglikelihood, LoglikelihoodRequest } from '../model-client.ts'
import { readUsage } from '../usage/read-usage.ts'
import type { WireRequest } from '../wire/wire-protocol.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

const Logprob = z.number().nullable()
const Reply = z.object({
  choices: z
    .array(
      z.object({
        text: z.string(),
        logprobs: z.object({
          tokens: z.array(z.string()),
          token_logprobs: z.array(Logprob),
          text_offset: z.array(z.int()),
          top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish(),
        }),
      }),
    )
    .min(1),
})

export type LoglikelihoodReading =
  | { readonly ok: true; readonly content: Pick<Loglikelihood, 'logprob' | 'isGreedy' | 'usage' | 'statedPicoUsd'> }
  | { readonly ok: false; readonly problem: string }

/**
 * Asks a completions endpoint to repeat the text with the log-probability of each of its tokens. Blanks at the end of the context go to
 * the continuation, because tokenizers join them to the word that follows.
 */
export function echoRequest(request: LoglikelihoodRequest, model: string): WireRequest {
  return {
    path: '/completions',
    body: { model, prompt: textOf(request), max_tokens: 1, temperature: 0, logprobs: 1, echo: true },
    notes: [],
  }
}

/**
 * Adds up the log-probabilities of the tokens that reach into the continuation. Never trusts a 200: a server that did not repeat the
 * text, or that gives fewer numbers than tokens, has not answered the question.
 */
export function readEcho(value: unknown, request: LoglikelihoodRequest): LoglikelihoodReading {
  const reply = Reply.safeParse(value)
  const [choice] = reply.data?.choices ?? []
  if (!choice) return { ok: false, problem: 'holds no log-probabilities' }
  const prompt = textOf(request)
  if (!choice.text.startsWith(prompt))
    return { ok: false, problem: 'does not repeat the text, so its log-probabilities are of something else' }
  const { tokens, token_logprobs: logprobs, text_offset: offsets, top_logprobs: tops } = choice.logprobs
  if (logprobs.length !== tokens.length || offsets.length !== tokens.length || offsets[0] !== 0)
    return { ok: false, problem: 'holds another number of log-probabilities than of tokens' }
  // The endpoint counts code points, not UTF-16 code units.
  const [start, end] = [[...trimmedContext(request)].length, [...prompt].length]
  const inside = tokens.flatMap((_, i) => ((offsets[i + 1] ?? end) > start && (offsets[i] ?? 0) < end ? [i] : []))
  const values = inside.map(i => logprobs[i] ?? Number.NaN)
  if (values.length === 0 || values.some(number => !(number <= 1e-6)))
    return { ok: false, problem: 'lacks the log-probability of a token of the continuation' }
  return {
    ok: true,
    content: {
      logprob: Math.min(
        0,
        values.reduce((sum, number) => sum + number, 0),
      ),
      isGreedy: tops ? inside.every(i => isLikeliest(logprobs[i] ?? Number.NaN, tops[i] ?? {})) : null,
      ...countOf(value),
    },
  }
}

function countOf(value: unknown): Pick<Loglikelihood, 'usage' | 'statedPicoUsd'> {
  const { unreadUsage: _, ...count } = readUsage(value)
  return count
}

/** Floating point sums of a server may differ in the last digits from call to call. */
function isLikeliest(logprob: number, top: Readonly<Record<string, number>>): boolean {
  return Object.values(top).every(other => logprob >= other - 1e-6)
}

function textOf({ context, continuation }: LoglikelihoodRequest): string {
  return context + continuation
}

function trimmedContext({ context }: LoglikelihoodRequest): string {
  return trimEndOf(context, / /)
}
