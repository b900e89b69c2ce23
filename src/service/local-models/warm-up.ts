import type { LlamaAnswer, LlamaOrder } from '../../workers/llama-process.ts'
import type { Database } from '../../storage/database.ts'
import type { LoadedModels, ModelToLoad } from './loaded-models.ts'
import { readSpeed, type Speed, storeSpeed } from './local-models.store.ts'

/** About 200 tokens of plain English. */
const prompt = 'The river rises in the hills, turns south at the old mill and reaches the sea beside the harbour. '.repeat(10)
const generatedTokens = 24

export interface Speeds {
  /** As it was measured; null at first, while it is measured in the background. */
  of(model: ModelToLoad): Speed | null
  /** A run needs the model now: it is measured at another time. */
  stop(key: string): void
  stopAll(): void
}

export function createSpeeds(db: Database, loaded: LoadedModels, now: () => string): Speeds {
  /** What is being measured, and what could not be. */
  const warming = new Map<string, AbortController>()
  const warmUp = async (model: ModelToLoad, { signal }: AbortController) => {
    const speed = await measureSpeed(loaded, model, now, signal)
    if (speed && !signal.aborted) db.transaction(() => storeSpeed(db, model.key, speed))
  }
  return {
    of: model => {
      const known = readSpeed(db, model.key)
      if (known || warming.has(model.key)) return known
      const stop = new AbortController()
      warming.set(model.key, stop)
      // The run that loads the model says why it does not load.
      warmUp(model, stop).catch(() => undefined)
      return null
    },
    stop: key => {
      if (readSpeed(db, key)) return
      warming.get(key)?.abort()
      warming.delete(key)
    },
    stopAll: () => {
      for (const stop of warming.values()) stop.abort()
    },
  }
}

/** Loads a model, or takes the one that is loaded, and measures it with one request. Null where it does not answer. */
async function measureSpeed(loaded: LoadedModels, model: ModelToLoad, now: () => string, signal: AbortSignal): Promise<Speed | null> {
  return loaded.use(model, signal, async process => {
    const ask = async (maxOutputTokens: number) => {
      const order: LlamaOrder = { kind: 'generate', prompt, temperature: 1, seed: 1, maxOutputTokens, stop: [] }
      const began = performance.now()
      const answer: LlamaAnswer = await process.ask(order, signal)
      return answer.kind === 'generated' ? { answer, ms: performance.now() - began } : null
    }
    const first = await ask(1)
    // The prompt is still there, so that this one is generation alone.
    const second = first && (await ask(generatedTokens))
    if (!first || !second) return null
    const perSecond = (tokens: number, ms: number) => Math.max(1, tokens) / (ms / 1000)
    return {
      prompt: perSecond(first.answer.promptTokens, first.ms),
      generated: perSecond(second.answer.outputTokens, second.ms),
      measuredAt: now(),
    }
  })
}
