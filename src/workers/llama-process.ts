import { fork } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type {
  FromLlama,
  LlamaFacts,
  LlamaFailed,
  LlamaFigures,
  LlamaGenerate,
  LlamaGenerated,
  LlamaLoad,
  LlamaMeasure,
  LlamaMeasured,
} from './llama-messages.ts'
import type { NodeProcess, NodeProcessEvents, StartNodeProcess } from './node-process.ts'
import { workerFile } from './worker-file.ts'

/** The process of a model ended under its calls, or could not load it. */
export class LlamaEndedError extends Error {
  override readonly name = 'LlamaEndedError'
  /** The runtime says why it cannot load the file, and would say so again. */
  readonly isRefused: boolean

  constructor(message: string, isRefused = false) {
    super(message)
    this.isRefused = isRefused
  }
}

export type LlamaOrder = Omit<LlamaGenerate, 'id'> | Omit<LlamaMeasure, 'id'>
export type LlamaAnswer = LlamaGenerated | LlamaMeasured | LlamaFailed

export interface LlamaProcess {
  /** @throws LlamaEndedError where the model does not load */
  readonly loaded: Promise<LlamaFacts>
  /** Resolves once it is gone, with the reason. */
  readonly ended: Promise<string>
  /** 0 to 1, of loading. */
  progress(): number
  /** Null before the model is loaded. */
  figures(): LlamaFigures | null
  /** An aborted request resolves as cancelled at once. @throws LlamaEndedError */
  ask(order: LlamaOrder, signal: AbortSignal): Promise<LlamaAnswer>
  /** Requests that it still computes, cancelled ones included. */
  pending(): number
  kill(): void
}

interface LlamaProcessOptions {
  readonly load: Omit<LlamaLoad, 'kind'>
  /** All files of the model. */
  readonly files: readonly string[]
  /** Null: Node starts it, locked in. */
  readonly startProcess: StartNodeProcess | null
}

/** Starts the process of one model, and loads it there. */
export function startLlama({ load, files, startProcess }: LlamaProcessOptions): LlamaProcess {
  const loaded = Promise.withResolvers<LlamaFacts>()
  const ended = Promise.withResolvers<string>()
  const open = new Map<number, PromiseWithResolvers<LlamaAnswer>>()
  const computing = new Set<number>()
  let [nextId, progress, isOver] = [1, 0, false]
  let figures: LlamaFigures | null = null
  // Whoever waits for it is told; there may be none.
  loaded.promise.catch(() => {})

  const receive = (message: FromLlama) => {
    if (message.kind === 'progress') progress = message.share
    else if (message.kind === 'figures') figures = message
    else if (message.kind === 'loaded') loaded.resolve(message.facts)
    else if (message.kind === 'failed' && message.id === null) {
      loaded.reject(new LlamaEndedError(message.message, true))
      child.kill()
    } else {
      const id = message.id ?? 0
      computing.delete(id)
      open.get(id)?.resolve(message)
      open.delete(id)
    }
  }
  const end = (detail: string) => {
    isOver = true
    const error = new LlamaEndedError(`The process of the model ended: ${detail}`)
    loaded.reject(error)
    for (const one of open.values()) one.reject(error)
    open.clear()
    ended.resolve(detail)
  }
  const events: NodeProcessEvents = { message: data => receive(data as FromLlama), end } // only our worker is at the other end
  const child = (startProcess ?? startLocked([load.modules, ...files]))(workerFile('llama.worker'), events)
  child.post({ kind: 'load', ...load } satisfies LlamaLoad)

  return {
    loaded: loaded.promise,
    ended: ended.promise,
    progress: () => progress,
    figures: () => figures,
    ask: async (order, signal) => {
      await loaded.promise
      if (isOver) throw new LlamaEndedError('The process of the model has ended.')
      const id = nextId++
      const answer = Promise.withResolvers<LlamaAnswer>()
      open.set(id, answer)
      const cancel = () => {
        answer.resolve({ kind: 'failed', id, code: 'cancelled', message: 'Cancelled.' })
        if (!isOver) child.post({ kind: 'cancel', id })
      }
      if (signal.aborted) cancel()
      else {
        signal.addEventListener('abort', cancel, { once: true })
        computing.add(id)
        child.post({ ...order, id })
      }
      return answer.promise.finally(() => {
        signal.removeEventListener('abort', cancel)
      })
    },
    pending: () => computing.size,
    kill: () => child.kill(),
  }
}

/** Starts the Node that runs this process, locked in: it reads these files and what it consists of, writes nothing and has no network. */
function startLocked(readable: readonly string[]): StartNodeProcess {
  return (script, events) => {
    const reads = [...readable, ...ownFiles(script), ...systemLibraries].filter(path => existsSync(path))
    const real = new Set(reads.flatMap(path => [path, realpathSync(path)]))
    const child = fork(script, [], {
      execArgv: ['--permission', '--allow-addons', ...[...real].map(path => `--allow-fs-read=${path}`), '--no-warnings'],
      // Without what this process knows. Windows needs where it lies.
      env: process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] },
      cwd: dirname(script),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let isOver = false
    const end = (detail: string) => {
      if (isOver) return
      isOver = true
      events.end(detail)
    }
    child.on('message', data => {
      if (!isOver) events.message(data)
    })
    child.on('error', error => end(error.message))
    child.on('exit', (code, signal) => end(signal ? `it was killed (${signal}).` : `it ended with code ${code}.`))
    const started: NodeProcess = {
      // It may have just ended, which its end tells.
      post: message => {
        if (child.connected) child.send(message as object, () => {})
      },
      kill: () => child.kill('SIGKILL'),
    }
    return started
  }
}

/** What the worker consists of: the program, as sources or built, and the file that says that they are modules. */
function ownFiles(script: string): string[] {
  const folder = dirname(script)
  const isSource = script.endsWith('.ts')
  return [dirname(folder), join(folder, isSource ? '../..' : '../../..', 'package.json')]
}

/** The runtime looks there for the C library. */
const systemLibraries = process.platform === 'linux' ? ['/lib', '/lib64', '/usr/lib', '/usr/lib64'] : []
