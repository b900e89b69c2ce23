import { randomInt } from 'node:crypto'
import { describeContent, promptText } from '../../contract/messages/message-text.ts'
import type { CallOutcome, Failure, Loglikelihood, Loglikelihoods, ModelClient, ModelRequest } from '../../engine/clients/model-client.ts'
import type { Fault } from '../../engine/clients/fault.ts'
import { requestFault } from '../../engine/clients/wire/sent-parts.ts'
import { splitReasoning } from '../../lib/split-reasoning.ts'
import { messageOf } from '../../lib/message-of.ts'
import type { LlamaFacts } from '../../workers/llama-messages.ts'
import { type LlamaAnswer, LlamaEndedError, type LlamaOrder } from '../../workers/llama-process.ts'
import type { LoadedModels, ModelToLoad } from './loaded-models.ts'

/** Times that a process may end under one request before the request is what ends it. */
const mostEnds = 5

export interface OpenedModel {
  readonly loaded: LoadedModels
  readonly model: ModelToLoad
  /** What is stored with every call, beside what the process tells. */
  readonly environment: Readonly<Record<string, unknown>>
  /** Why the files are no longer those of the route; null where they are. */
  readonly changed: () => string | null
  readonly hasTemplate: boolean
}

interface Asked {
  readonly answer: Exclude<LlamaAnswer, { kind: 'failed' }>
  readonly facts: LlamaFacts
  readonly latencyMs: number
}

/** Calls a GGUF file in a process of its own. A process that ends under a request is started again, and the request with it. */
export function createLocalModelClient({ loaded, model, environment, changed, hasTemplate }: OpenedModel): ModelClient {
  const ask = async (order: LlamaOrder, signal: AbortSignal): Promise<Asked | Failure> => {
    const began = performance.now()
    const failure = (code: Failure['code'], message: string): Failure => ({
      ok: false,
      code,
      message,
      retryAfterMs: null,
      latencyMs: performance.now() - began,
      request: bytesOf(order),
      response: null,
      httpStatus: null,
    })
    for (let ends = 0; ; ) {
      const fault = changed()
      if (fault !== null) return failure('model_not_found', fault)
      try {
        return await loaded.use(model, signal, async (process, facts) => {
          const answer = await process.ask(order, signal)
          if (answer.kind === 'failed') return failure(answer.code, answer.message)
          return { answer, facts, latencyMs: performance.now() - began }
        })
      } catch (error) {
        if (signal.aborted) return failure('cancelled', 'The run was cancelled while the call was in flight.')
        if (!(error instanceof LlamaEndedError)) throw error
        // What is refused once stops the run; a process that was killed is started again.
        if (error.isRefused) return failure('model_not_found', `The model could not be loaded. ${error.message}`)
        if (++ends >= mostEnds)
          return failure(
            'unreachable',
            `${error.message} It did so ${ends} times during this request, so less memory or a shorter context may help.`,
          )
      }
    }
  }
  const recordOf = (order: LlamaOrder, { answer, facts }: Asked) => {
    const { devices, backend, threads, contextTokens, batchTokens, gpuLayers } = facts
    const ran = { backend, devices, threads, context_tokens: contextTokens, batch_tokens: batchTokens, gpu_layers: gpuLayers }
    const prompt =
      answer.kind === 'generated' ? { prompt: answer.prompt, prompt_tokens: answer.promptTokens } : { prompt_tokens: answer.promptTokens }
    const { prompt: _, ...asked } = order.kind === 'generate' ? order : { ...order, prompt: null }
    return { request: bytesOf({ ...environment, ...ran, ...asked, ...prompt }), response: bytesOf(answer), httpStatus: null }
  }

  const call = async (request: ModelRequest, signal: AbortSignal): Promise<CallOutcome> => {
    const unsent = requestFault('gguf_file', request.messages)
    if (unsent !== null)
      return {
        ok: false,
        code: 'bad_request',
        message: `A model of a file takes ${unsent}. Choose a model that takes them.`,
        retryAfterMs: null,
        latencyMs: 0,
        request: null,
        response: null,
        httpStatus: null,
      }
    const prompt = hasTemplate
      ? request.messages.map(message => ({ role: message.role, content: describeContent(message.content) }))
      : promptText(request.messages)
    const order = {
      kind: 'generate',
      prompt,
      temperature: request.temperature ?? 0,
      seed: randomInt(2 ** 31),
      maxOutputTokens: request.maxOutputTokens,
      stop: request.stop,
    } as const
    const asked = await ask(order, signal)
    if ('ok' in asked) return asked
    const { answer, latencyMs } = asked
    if (answer.kind !== 'generated') throw new Error('The process answered another question.')
    const { output, reasoning } =
      request.reasoning === 'as_text' ? { output: answer.output, reasoning: null } : splitReasoning(answer.output)
    return {
      ok: true,
      output,
      ...(reasoning === null ? {} : { reasoning }),
      finishReason: answer.finishReason,
      refused: false,
      usage: { inputTokens: answer.promptTokens, outputTokens: answer.outputTokens },
      latencyMs,
      ...recordOf(order, asked),
    }
  }
  const loglikelihoods = async (
    context: string,
    continuations: readonly string[],
    signal: AbortSignal,
  ): Promise<Loglikelihoods | Failure> => {
    const order = { kind: 'measure', context, continuations } as const
    const asked = await ask(order, signal)
    if ('ok' in asked) return asked
    const { answer, latencyMs } = asked
    if (answer.kind !== 'measured') throw new Error('The process answered another question.')
    const { items, promptTokens } = answer
    return {
      ok: true,
      items: items.map(({ logprob, isGreedy }) => ({ logprob, isGreedy })),
      usage: { inputTokens: promptTokens + items.reduce((sum, { tokens }) => sum + tokens, 0), outputTokens: 0 },
      latencyMs,
      ...recordOf(order, asked),
    }
  }
  return {
    call: (request, { signal }) => call(request, signal),
    loglikelihoods: (context, continuations, { signal }) => loglikelihoods(context, continuations, signal),
    loglikelihood: async ({ context, continuation }, { signal }): Promise<Loglikelihood | Failure> => {
      const measured = await loglikelihoods(context, [continuation], signal)
      if (!measured.ok) return measured
      const { items, ...rest } = measured
      const [only] = items
      if (!only) throw new Error('One continuation has one likelihood.')
      return { ...rest, ...only }
    },
    probe: async ({ signal }): Promise<Fault | null> => {
      const fault = changed()
      if (fault !== null) return { code: 'model_not_found', message: fault }
      try {
        await loaded.use(model, signal, async () => {})
        return null
      } catch (error) {
        return { code: 'unreachable', message: messageOf(error) }
      }
    },
    close: async () => loaded.endAbandoned(model.key),
  }
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
