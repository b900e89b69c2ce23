import { guarded } from '../../lib/guarded.ts'
import type { LoadedModel } from '../../contract/local-models/local-models.schemas.ts'
import type { LlamaFacts } from '../../workers/llama-messages.ts'
import { LlamaEndedError, type LlamaProcess } from '../../workers/llama-process.ts'

/** What is loaded, by what it is loaded with. */
export interface ModelToLoad {
  /** The same for requests that may share a process. */
  readonly key: string
  readonly neededBytes: number
  start(): LlamaProcess
}

interface Loaded {
  readonly key: string
  readonly neededBytes: number
  readonly process: LlamaProcess
  facts: LlamaFacts | null
  calls: number
  /** Another model waits for its memory: it takes no further calls. */
  isLeaving: boolean
  idle: NodeJS.Timeout | undefined
}

export interface LoadedModels {
  /**
   * Loads the model if it is not, and does something with its process. A model that does not fit beside the others waits until they have
   * no calls, and takes their place.
   * @throws LlamaEndedError where the process ended or the model does not load
   */
  use<T>(model: ModelToLoad, signal: AbortSignal, work: (process: LlamaProcess, facts: LlamaFacts) => Promise<T>): Promise<T>
  /** What is loaded with keys that begin so. */
  describe(keyStart: string): LoadedModel | null
  /** Ends the process at once if no call waits for it. */
  endAbandoned(key: string): void
  unloadAll(): Promise<void>
}

export function createLoadedModels(options: { readonly freeBytes: () => number; readonly idleMs: () => number }): LoadedModels {
  const loaded = new Map<string, Loaded>()
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const tell of waiting) tell()
    waiting.clear()
  }
  const changed = (signal: AbortSignal) =>
    new Promise<void>(resolve => {
      waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  const unload = async (one: Loaded) => {
    clearTimeout(one.idle)
    one.process.kill()
    await one.process.ended
  }
  const load = ({ key, neededBytes, start }: ModelToLoad): Loaded => {
    const process = start()
    const one: Loaded = { key, neededBytes, process, facts: null, calls: 0, isLeaving: false, idle: undefined }
    loaded.set(key, one)
    process.loaded.then(
      facts => (one.facts = facts),
      () => {},
    )
    void process.ended.then(() => {
      clearTimeout(one.idle)
      if (loaded.get(key) === one) loaded.delete(key)
      wake()
    })
    return one
  }
  /** Null: look again. */
  const take = async (model: ModelToLoad, signal: AbortSignal): Promise<Loaded | null> => {
    const there = loaded.get(model.key)
    if (there && !there.isLeaving) return there
    const others = [...loaded.values()]
    if (!there && (others.length === 0 || model.neededBytes <= options.freeBytes())) return load(model)
    for (const other of others) other.isLeaving = true
    if (others.some(({ calls }) => calls > 0)) await changed(signal)
    else await Promise.all(others.map(unload))
    return null
  }
  const release = (one: Loaded) => {
    one.calls--
    clearTimeout(one.idle)
    if (one.calls === 0) {
      const unloadIdle = () => (one.calls === 0 ? one.process.kill() : undefined)
      // A process that cannot be ended is ended with the service.
      one.idle = setTimeout(
        guarded(unloadIdle, () => undefined),
        options.idleMs(),
      ).unref()
      wake()
    }
  }
  return {
    use: async (model, signal, work) => {
      for (;;) {
        signal.throwIfAborted()
        const one = await take(model, signal)
        if (!one) continue
        one.calls++
        clearTimeout(one.idle)
        try {
          return await work(one.process, await abortable(one.process.loaded, signal))
        } finally {
          release(one)
        }
      }
    },
    describe: keyStart => {
      const one = [...loaded.values()].find(({ key }) => key.startsWith(keyStart))
      return one ? shown(one) : null
    },
    endAbandoned: key => {
      const one = loaded.get(key)
      if (one && one.calls === 0 && one.process.pending() > 0) one.process.kill()
    },
    unloadAll: async () => {
      await Promise.all([...loaded.values()].map(unload))
    },
  }
}

/** Loading is not ended for one caller: the next one wants it. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new LlamaEndedError('Cancelled while the model was being loaded.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function shown({ process, facts, calls }: Loaded): LoadedModel {
  const figures = process.figures()
  const perSecond = (tokens: number, ms: number) => (tokens === 0 || ms === 0 ? null : Math.round((tokens / ms) * 1e4) / 10)
  return {
    state: facts ? 'ready' : 'loading',
    progress: facts ? 1 : process.progress(),
    calls,
    backend: facts?.backend ?? null,
    devices: [...(facts?.devices ?? [])],
    threads: facts?.threads ?? null,
    memory_bytes: figures?.memoryBytes ?? null,
    prompt_tokens_per_second: figures && perSecond(figures.promptTokens, figures.promptMs),
    generated_tokens_per_second: figures && perSecond(figures.generatedTokens, figures.generatedMs),
  }
}
