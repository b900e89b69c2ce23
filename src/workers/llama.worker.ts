import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { chooseBatch } from './llama-batches.ts'
import { ContextExceededError, createLlamaEngine, type LlamaEngine, type Template } from './llama-engine.ts'
import type { FromLlama, LlamaFailed, LlamaLoad, ToLlama } from './llama-messages.ts'
import type { LlamaModel, LlamaModule } from './llama-types.ts'
import { messageOf } from '../lib/message-of.ts'

/**
 * The process of one loaded model. It speaks with the service only: where Node starts it, it has no network, writes nothing and
 * reads nothing but Assay, the runtime and the model. What kills it, kills nothing else.
 */

/** Electron's port to the process that has started this one. */
interface ParentPort {
  on(event: 'message', receive: (event: { readonly data: ToLlama }) => void): void
  postMessage(message: FromLlama): void
}

/** Milliseconds between figures while something is computed. */
const figuresMs = 500

// Only Electron's types know it, and this folder has none of them.
const port = Reflect.get(process, 'parentPort') as ParentPort | undefined
const post = (message: FromLlama): void => {
  if (port) port.postMessage(message)
  else process.send?.(message)
}
const open = new Map<number, AbortController>()
let engine: LlamaEngine | null = null

if (port) port.on('message', ({ data }) => receive(data))
else {
  process.on('message', (message: ToLlama) => receive(message))
  // The service is gone, however it ended.
  process.on('disconnect', () => process.exit(0))
}

function receive(message: ToLlama): void {
  if (message.kind === 'load') void load(message)
  else if (message.kind === 'cancel') open.get(message.id)?.abort()
  else void answer(message)
}

async function load(order: LlamaLoad): Promise<void> {
  try {
    skipTrial()
    const entry = pathToFileURL(join(order.modules, 'node-llama-cpp', 'dist', 'index.js')).href
    const { getLlama, TokenBias } = (await import(/* @vite-ignore */ entry)) as LlamaModule
    const complaints: string[] = []
    const llama = await getLlama({
      build: 'never',
      gpu: order.backend === 'cpu' ? false : order.backend,
      maxThreads: order.threads,
      logLevel: 'error',
      logger: (_level, message) => complaints.push(message.trim()),
      progressLogs: false,
      skipDownload: true,
    })
    const devices = llama.gpu === false ? [] : await llama.getGpuDeviceNames()
    const backend = llama.gpu === false ? 'cpu' : llama.gpu
    if (order.modelPath === null) {
      post({ kind: 'loaded', facts: { ...nothingLoaded, backend, devices } })
      return
    }
    try {
      const model = await llama.loadModel({ modelPath: order.modelPath, onLoadProgress: share => post({ kind: 'progress', share }) })
      const contextSize = Math.min(order.contextTokens, model.trainContextSize)
      const type = order.cacheType === 'f32' ? 'F32' : 'F16'
      const context = await model.createContext({
        contextSize,
        sequences: order.sequences,
        batchSize: Math.min(512, contextSize),
        threads: order.threads,
        flashAttention: false,
        batching: { itemPrioritizationStrategy: chooseBatch },
        experimentalKvCacheKeyType: type,
        experimentalKvCacheValueType: type,
      })
      const template = templateOf(model, order.modules)
      engine = createLlamaEngine({ model, context, sequences: order.sequences, template, bias: () => TokenBias.for(model) })
      const { batchSize: batchTokens, currentThreads: threads } = context
      const { gpuLayers } = model
      const facts = {
        backend,
        devices,
        threads,
        contextTokens: context.contextSize,
        batchTokens,
        gpuLayers,
        hasTemplate: template !== null,
      }
      post({ kind: 'loaded', facts })
      tellFigures(engine)
    } catch (error) {
      throw new Error([messageOf(error), ...complaints.slice(-3)].join(' '))
    }
  } catch (error) {
    post({ kind: 'failed', id: null, code: 'provider_failure', message: messageOf(error) })
  }
}

const nothingLoaded = { threads: 0, contextTokens: 0, batchTokens: 0, gpuLayers: 0, hasTemplate: false }

/** The file’s own template; null where it has none, or none that can be read. */
function templateOf(model: LlamaModel, modules: string): Template | null {
  const text = model.fileInfo.metadata.tokenizer?.chat_template
  if (text === undefined || text === '') return null
  const require = createRequire(join(modules, 'node-llama-cpp', 'package.json'))
  const { Template: Read } = require('@huggingface/jinja') as { Template: new (text: string) => Template }
  try {
    return new Read(text)
  } catch {
    return null
  }
}

async function answer(order: Exclude<ToLlama, LlamaLoad | { kind: 'cancel' }>): Promise<void> {
  const { id } = order
  const stop = new AbortController()
  open.set(id, stop)
  try {
    if (!engine) throw new Error('No model is loaded.')
    post(order.kind === 'generate' ? await engine.generate(order, stop.signal) : await engine.measure(order, stop.signal))
  } catch (error) {
    post({ kind: 'failed', id, code: codeOf(error, stop.signal), message: messageOf(error) })
  } finally {
    open.delete(id)
  }
}

function codeOf(error: unknown, { aborted }: AbortSignal): LlamaFailed['code'] {
  if (aborted) return 'cancelled'
  return error instanceof ContextExceededError ? 'context_exceeded' : 'bad_request'
}

function tellFigures({ counters }: LlamaEngine): void {
  let told = ''
  const tell = () => {
    const now = JSON.stringify(counters)
    if (now === told) return
    told = now
    post({ kind: 'figures', ...counters, memoryBytes: process.memoryUsage.rss() })
  }
  tell()
  setInterval(tell, figuresMs).unref()
}

/**
 * The runtime tries its library in a process that it forks, in case loading crashes. This is such a process already, and may start none:
 * the trial is answered as passed.
 */
function skipTrial(): void {
  const fork = () => {
    const trial = Object.assign(new EventEmitter(), {
      exitCode: null as number | null,
      kill: () => true,
      send: ({ type }: { readonly type: string }) => {
        if (type === 'start') later('message', { type: 'loaded' })
        else if (type === 'test') later('message', { type: 'done' })
        else if (type === 'exit') {
          trial.exitCode = 0
          later('exit', 0)
        }
        return true
      },
    })
    const later = (event: string, value: unknown) => setImmediate(() => trial.emit(event, value))
    later('message', { type: 'ready' })
    return trial
  }
  Object.assign(childProcess, { fork })
  syncBuiltinESMExports()
}
