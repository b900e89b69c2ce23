import { rstrip } from '../engine/grading/scorers/python/strings.ts'
import type { LlamaGenerate, LlamaGenerated, LlamaMeasure, LlamaMeasured } from './llama-messages.ts'
import type { LlamaContext, LlamaModel, LlamaSequence, SamplerSettings, Token, TokenBias, TokenWish } from './llama-types.ts'

/** The request is longer than the context; none of it was computed. */
export class ContextExceededError extends Error {
  override readonly name = 'ContextExceededError'
}

/** No cut of the distribution: what is recorded as temperature is all that was done to it. */
const uncut = { topK: 0, topP: 1, minP: 0 } as const
const asItIs = { temperature: 1, ...uncut } as const satisfies SamplerSettings
const greedy = { temperature: 0, ...uncut } as const satisfies SamplerSettings
/** Tokens whose text is looked through for a stop: as long as the longest stop is likely to be. */
const stopWindow = 64
/** Smallest probability that single precision tells from none. */
const least = 1e-45
/** Added to the logits of tokens that are asked for, so that they are among the first; single precision holds the others beside them. */
const raised = 80
/** Positions whose logits are held at once: 40 MB with a vocabulary of 150,000. */
const mostPositions = 64

export interface Template {
  render(values: Readonly<Record<string, unknown>>): string
}

export interface Counters {
  promptTokens: number
  promptMs: number
  generatedTokens: number
  generatedMs: number
}

interface Slot {
  readonly sequence: LlamaSequence
  isBusy: boolean
}

/** Tokens of which those from a position on are measured. */
interface Span {
  readonly tokens: readonly Token[]
  readonly from: number
}

/** The end of a prefix, and the tokens whose probability there is asked for. */
interface Position {
  readonly length: number
  readonly asked: readonly Token[]
}

/** Distribution behind a prefix, for the tokens that are asked for. */
interface Next {
  readonly logprobs: ReadonlyMap<Token, number>
  readonly likeliest: Token
}

export interface LlamaEngine {
  readonly counters: Readonly<Counters>
  generate(order: LlamaGenerate, signal: AbortSignal): Promise<LlamaGenerated>
  measure(order: LlamaMeasure, signal: AbortSignal): Promise<LlamaMeasured>
}

export interface LoadedLlama {
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly sequences: number
  readonly template: Template | null
  /** An empty one. */
  readonly bias: () => TokenBias
}

/** Evaluates texts with a loaded model. Each request takes one of the context’s sequences, the one that has most of its beginning. */
export function createLlamaEngine({ model, context, sequences, template, bias }: LoadedLlama): LlamaEngine {
  const raise = (tokens: readonly Token[]) => tokens.reduce((all, token) => all.set(token, { logit: raised }), bias())
  const counters: Counters = { promptTokens: 0, promptMs: 0, generatedTokens: 0, generatedMs: 0 }
  const slots = Array.from(
    { length: sequences },
    (): Slot => ({ sequence: context.getSequence({ contextShift: { size: 1 } }), isBusy: false }),
  )
  const waiting: (() => void)[] = []
  const { bos, eos, bosString, eosString, shouldPrependBosToken } = model.tokens
  const beginning: readonly Token[] = shouldPrependBosToken && bos !== null ? [bos] : []

  const withSequence = async <T>(tokens: readonly Token[], work: (sequence: LlamaSequence) => Promise<T>): Promise<T> => {
    for (;;) {
      const free = slots.filter(slot => !slot.isBusy)
      const [best] = free.sort((a, b) => sharedLength(b.sequence.contextTokens, tokens) - sharedLength(a.sequence.contextTokens, tokens))
      if (best) {
        best.isBusy = true
        try {
          return await work(best.sequence)
        } finally {
          best.isBusy = false
          waiting.shift()?.()
        }
      }
      await new Promise<void>(resolve => waiting.push(resolve))
    }
  }
  const fit = (needed: number, what: string) => {
    if (needed > context.contextSize)
      throw new ContextExceededError(
        `${what} ${needed} tokens and the context holds ${context.contextSize}. Raise the context length of local models, or choose shorter tasks.`,
      )
  }
  /** Brings a sequence to exactly these tokens, evaluating what it does not have. Stops between batches when aborted. */
  const advance = async (sequence: LlamaSequence, tokens: readonly Token[], signal: AbortSignal) => {
    const kept = sharedLength(sequence.contextTokens, tokens)
    await keepFirst(sequence, kept)
    const began = performance.now()
    for (let at = kept; at < tokens.length; at += context.batchSize) {
      signal.throwIfAborted()
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + context.batchSize))
    }
    counters.promptTokens += tokens.length - kept
    counters.promptMs += performance.now() - began
  }

  const rendered = (prompt: LlamaGenerate['prompt']): string => {
    if (typeof prompt === 'string') return prompt
    if (!template) return prompt.map(({ content }) => content).join('\n\n')
    return template.render({
      messages: prompt,
      add_generation_prompt: true,
      bos_token: bosString ?? '',
      eos_token: eosString ?? '',
    })
  }
  const generate: LlamaEngine['generate'] = async (order, signal) => {
    const { id, prompt: given, temperature, seed, maxOutputTokens, stop } = order
    const prompt = rendered(given)
    const isTemplated = typeof given !== 'string' && template !== null
    const own = model.tokenize(prompt, isTemplated)
    // Some templates write the first token themselves.
    const tokens = own[0] !== undefined && own[0] === beginning[0] ? own : [...beginning, ...own]
    const last = tokens.at(-1)
    if (last === undefined) throw new Error('The prompt is empty.')
    fit(tokens.length + maxOutputTokens, `The prompt (${tokens.length}) and the answer (up to ${maxOutputTokens}) need`)
    return withSequence(tokens, async sequence => {
      await advance(sequence, tokens.slice(0, -1), signal)
      const began = performance.now()
      const made: Token[] = []
      let output: string | null = null
      const sampler = { ...uncut, temperature, seed }
      for await (const token of sequence.evaluate([last], sampler)) {
        made.push(token)
        signal.throwIfAborted()
        const tail = stop.length > 0 ? model.detokenize(made.slice(-stopWindow), false) : ''
        if (stop.some(text => tail.includes(text))) {
          const whole = model.detokenize(made, false)
          output = whole.slice(0, Math.min(...stop.map(text => (whole.includes(text) ? whole.indexOf(text) : whole.length))))
          break
        }
        if (made.length >= maxOutputTokens) break
      }
      counters.generatedTokens += made.length
      counters.generatedMs += performance.now() - began
      return {
        kind: 'generated',
        id,
        prompt,
        promptTokens: tokens.length,
        output: output ?? model.detokenize(made, false),
        outputTokens: made.length,
        finishReason: output === null && made.length >= maxOutputTokens ? 'length' : 'stop',
      }
    })
  }

  /** As lm-eval sets the boundary: blanks at the end of the context belong to the continuation, and whatever the whole text has beyond the context’s tokens does too. */
  const split = (given: string, continuation: string): Span[] => {
    const trimmed = rstrip(given)
    const [context_, rest] = [trimmed, given.slice(trimmed.length) + continuation]
    if (context_ === '') return windows(model.tokenize(rest, false))
    const own = model.tokenize(context_, false).length
    const tokens = [...beginning, ...model.tokenize(context_ + rest, false)]
    fit(tokens.length, 'The prompt and a continuation need')
    return [{ tokens, from: beginning.length + own }]
  }
  /** A text without context, from its first token on. One that is longer than the context is measured in lm-eval’s windows: each token once, the last window with all the context that it can have. */
  const windows = (text: readonly Token[]): Span[] => {
    const first = bos ?? eos
    const whole = [...(first === null ? [] : [first]), ...text]
    const most = context.contextSize - 1
    const spans: Span[] = []
    for (let at = whole.length - text.length; at < whole.length; ) {
      const end = Math.min(at + most, whole.length)
      // Beside what it measures, a full window has one token; the last has more.
      const start = Math.max(0, Math.min(at - 1, end - most - 1))
      spans.push({ tokens: whole.slice(start, end), from: at - start })
      at = end
    }
    return spans
  }
  const measure: LlamaEngine['measure'] = async ({ id, context: given, continuations }, signal) => {
    const parts = continuations.map(continuation => split(given, continuation))
    const spans = parts.flat()
    if (parts.length === 0 || parts.some(part => part.length === 0) || spans.some(({ tokens, from }) => from < 1 || from >= tokens.length))
      throw new Error('A continuation has no token of its own, so it has no likelihood.')
    const known = new Map<string, Next>()
    const keyOf = (tokens: readonly Token[]) => tokens.join(' ')
    const [first] = spans
    await withSequence(first?.tokens ?? [], async sequence => {
      for (const { tokens, from } of spans) {
        const lengths = Array.from({ length: tokens.length - from }, (_, i) => from + i)
        const missing = lengths.filter(length => !known.has(keyOf(tokens.slice(0, length))))
        for (let at = 0; at < missing.length; at += mostPositions) {
          const positions = missing.slice(at, at + mostPositions).map(length => {
            const prefix = tokens.slice(0, length)
            return { length, asked: spans.flatMap(span => (startsWith(span.tokens, prefix) ? (span.tokens[length] ?? []) : [])) }
          })
          for (const [length, next] of await read(sequence, tokens, positions, signal)) known.set(keyOf(tokens.slice(0, length)), next)
        }
      }
    })
    const items = parts.map(part => {
      let [logprob, isGreedy, count] = [0, true, 0]
      for (const { tokens, from } of part) {
        count += tokens.length - from
        for (let at = from; at < tokens.length; at++) {
          const next = known.get(keyOf(tokens.slice(0, at)))
          const token = tokens[at]
          if (!next || token === undefined) throw new Error('A position has no distribution.')
          logprob += next.logprobs.get(token) ?? Math.log(least)
          isGreedy &&= next.likeliest === token
        }
      }
      return { logprob: Math.min(0, logprob), isGreedy, tokens: count }
    })
    return { kind: 'measured', id, promptTokens: first?.from ?? 0, items }
  }
  /**
   * What follows each of these prefixes of a text. The runtime hands a whole distribution over as objects, 70 ms of a vocabulary of
   * 150,000. So it is read twice: the likeliest token with its probability among all, and how the tokens that are asked for compare with it.
   */
  const read = async (
    sequence: LlamaSequence,
    tokens: readonly Token[],
    positions: readonly Position[],
    signal: AbortSignal,
  ): Promise<Map<number, Next>> => {
    const start = positions[0]?.length ?? 1
    const end = positions.at(-1)?.length ?? start
    const evaluate = async (wish: (position: Position) => TokenWish) => {
      await advance(sequence, tokens.slice(0, start - 1), signal)
      const wishes = new Map(positions.map(position => [position.length, wish(position)]))
      const began = performance.now()
      // The token before each position is evaluated with what is wished of it, the others without.
      const results = await sequence.controlledEvaluate(
        tokens.slice(start - 1, end).map((token, i) => {
          const generateNext = wishes.get(start + i)
          return generateNext ? ([token, { generateNext }] as const) : token
        }),
      )
      counters.promptMs += performance.now() - began
      return (length: number) => results[length - start]?.next
    }
    const likeliest = await evaluate(() => ({ token: true, confidence: true, options: greedy }))
    const compared = await evaluate(({ asked }) => {
      const distinct = new Set(asked)
      return { probabilities: true, options: { ...asItIs, topK: distinct.size + 1, tokenBias: raise([...distinct]) } }
    })
    counters.promptTokens += end - start + 1
    return new Map(
      positions.map(({ length, asked }) => {
        const { token = null, confidence } = likeliest(length) ?? {}
        const probabilities = compared(length)?.probabilities
        const reference = token === null ? undefined : probabilities?.get(token)
        if (token === null || confidence === undefined || !probabilities || !reference) throw new Error('A position has no distribution.')
        const base = Math.log(confidence) - Math.log(reference) - (asked.includes(token) ? 0 : raised)
        const logprobOf = (one: Token) => Math.max(Math.log(least), base + Math.log(probabilities.get(one) ?? 0))
        return [length, { likeliest: token, logprobs: new Map(asked.map(one => [one, logprobOf(one)])) }] as const
      }),
    )
  }
  return { counters, generate, measure }
}

async function keepFirst(sequence: LlamaSequence, length: number): Promise<void> {
  const { nextTokenIndex } = sequence
  if (nextTokenIndex > length) await sequence.eraseContextTokenRanges([{ start: length, end: nextTokenIndex }])
}

function sharedLength(a: readonly Token[], b: readonly Token[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function startsWith(tokens: readonly Token[], prefix: readonly Token[]): boolean {
  return sharedLength(tokens, prefix) === prefix.length
}
