import type { LlamaGenerate, LlamaGenerated, LlamaMeasure, LlamaMeasured } from './llama-messages.ts'
import type { LlamaContext, LlamaModel, LlamaSequence, SamplerSettings, Token } from './llama-types.ts'

/** The request is longer than the context; nothing of it was computed. */
export class ContextExceededError extends Error {
  override readonly name = 'ContextExceededError'
}

/** No cut of the distribution: what is recorded as temperature is all that was done to it. */
const uncut = { topK: 0, topP: 1, minP: 0 } as const
const asItIs: SamplerSettings = { temperature: 1, ...uncut }
/** Tokens whose text is looked through for a stop: as long as the longest stop is likely to be. */
const stopWindow = 64
/** Smallest probability that single precision tells from none. */
const least = 1e-45

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

/** Distribution behind a prefix, for the tokens that somebody wants to know of. */
interface Next {
  readonly logprobs: ReadonlyMap<Token, number>
  readonly likeliest: Token
}

export interface LlamaEngine {
  readonly counters: Readonly<Counters>
  generate(order: LlamaGenerate, signal: AbortSignal): Promise<LlamaGenerated>
  measure(order: LlamaMeasure, signal: AbortSignal): Promise<LlamaMeasured>
}

/** Evaluates texts with a loaded model. Each request takes one of the context’s sequences, the one that has most of its beginning. */
export function createLlamaEngine(model: LlamaModel, context: LlamaContext, sequences: number, template: Template | null): LlamaEngine {
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
  const split = (given: string, continuation: string) => {
    const trimmed = given.trimEnd()
    const [context_, rest] = [trimmed, given.slice(trimmed.length) + continuation]
    if (context_ === '') {
      const first = bos ?? eos
      const tokens = [...(first === null ? [] : [first]), ...model.tokenize(rest, false)]
      return { tokens, from: first === null ? 0 : 1 }
    }
    const own = model.tokenize(context_, false).length
    return { tokens: [...beginning, ...model.tokenize(context_ + rest, false)], from: beginning.length + own }
  }
  const measure: LlamaEngine['measure'] = async ({ id, context: given, continuations }, signal) => {
    const parts = continuations.map(continuation => split(given, continuation))
    for (const { tokens, from } of parts) {
      if (from < 1 || from >= tokens.length) throw new Error('A continuation has no token of its own, so it has no likelihood.')
      fit(tokens.length, 'The prompt and a continuation need')
    }
    const known = new Map<string, Next>()
    const keyOf = (tokens: readonly Token[]) => tokens.join(' ')
    const first = parts[0]
    if (!first) throw new Error('There is no continuation.')
    await withSequence(first.tokens, async sequence => {
      for (const { tokens, from } of parts) {
        const wanted = (length: number) => !known.has(keyOf(tokens.slice(0, length)))
        const missing = Array.from({ length: tokens.length - from }, (_, i) => from + i).filter(wanted)
        const [start] = missing
        if (start === undefined) continue
        await advance(sequence, tokens.slice(0, start - 1), signal)
        const began = performance.now()
        // The token before each position is evaluated with its distribution, the others without.
        const input = tokens.slice(start - 1, -1)
        const items = input.map((token, i) =>
          missing.includes(start + i) ? ([token, { generateNext: { probabilities: true, options: asItIs } }] as const) : token,
        )
        const results = await sequence.controlledEvaluate(items)
        counters.promptTokens += input.length
        counters.promptMs += performance.now() - began
        for (const [i, result] of results.entries()) {
          const probabilities = result?.next.probabilities
          if (!probabilities) continue
          const prefix = tokens.slice(0, start + i)
          const asked = parts.flatMap(part => (startsWith(part.tokens, prefix) ? (part.tokens[prefix.length] ?? []) : []))
          known.set(keyOf(prefix), nextOf(probabilities, asked))
        }
      }
    })
    const items = parts.map(({ tokens, from }) => {
      let [logprob, isGreedy] = [0, true]
      for (let at = from; at < tokens.length; at++) {
        const next = known.get(keyOf(tokens.slice(0, at)))
        const token = tokens[at]
        if (!next || token === undefined) throw new Error('A position has no distribution.')
        logprob += next.logprobs.get(token) ?? Math.log(least)
        isGreedy &&= next.likeliest === token
      }
      return { logprob: Math.min(0, logprob), isGreedy, tokens: tokens.length - from }
    })
    return { kind: 'measured', id, promptTokens: first.from, items }
  }
  return { counters, generate, measure }
}

function nextOf(probabilities: ReadonlyMap<Token, number>, asked: readonly Token[]): Next {
  // The first is the likeliest.
  const [likeliest = -1] = probabilities.keys()
  return { likeliest, logprobs: new Map(asked.map(token => [token, Math.log(Math.max(probabilities.get(token) ?? 0, least))])) }
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
