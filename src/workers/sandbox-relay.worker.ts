import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { lockingArguments, type LockedProgram } from '../engine/grading/sandbox/locked-program.ts'
import type { FromSandbox, ToSandbox } from './sandbox-messages.ts'
import { messageOf } from '../lib/message-of.ts'

/**
 * The process of a sandboxed interpreter in the packaged app: Electron's utility process. It does not take Node's switches, so the
 * interpreter runs in a thread, which does; this thread passes on what is said and keeps the limits.
 */

/** Electron's port to the process that has started this one. */
interface ParentPort {
  on(event: 'message', receive: (event: { readonly data: ToSandbox }) => void): void
  postMessage(message: FromSandbox): void
}

const mebi = 1024 * 1024
/** What may be said for one message: the snapshot has 32 MiB, a reply less. */
const mostBytes = 64 * mebi
const mostMessages = 10_000
const mostComplaint = 4_000
const watchMs = 100

// Only Electron's types know it, and this folder has none of them.
const parent = Reflect.get(process, 'parentPort') as ParentPort
let thread: MessagePort | null = null
/** Counts what was sent to the thread, which sleeps on it. */
const sent = new Int32Array(new SharedArrayBuffer(4))
let bytes = 0
let messages = 0
let isEnded = false

// Contexts that are made from now on make no code of texts: the thread's.
setFlagsFromString('--disallow-code-generation-from-strings')
parent.on('message', ({ data }) => {
  if (data.kind === 'begin') thread = begin(data.program)
  else {
    bytes = messages = 0
    thread?.postMessage(data.text)
    Atomics.add(sent, 0, 1)
    Atomics.notify(sent, 0)
  }
})

function begin(program: LockedProgram): MessagePort {
  process.chdir(program.folder)
  const { port1, port2 } = new MessageChannel()
  const running = new Worker(program.entry, {
    argv: [...program.args],
    env: { ASSAY_SANDBOX_PROGRAM: program.text },
    execArgv: lockingArguments(program),
    workerData: { port: port2, sent },
    transferList: [port2],
    stdin: true,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: program.heapMegabytes, maxYoungGenerationSizeMb: 16 },
  })
  let fault: string | null = null
  port1.on('message', (part: Uint8Array<ArrayBuffer>) => {
    bytes += part.byteLength
    messages++
    if (bytes > mostBytes || messages > mostMessages) return end('It wrote more than may be read.', null)
    if (!isEnded) parent.postMessage({ kind: 'output', bytes: part })
  })
  running.stderr.on('data', (part: Buffer) => {
    if (!isEnded) parent.postMessage({ kind: 'complaint', text: part.toString('utf8').slice(0, mostComplaint) })
  })
  running.stdout.resume()
  running.on('error', error => (fault = messageOf(error)))
  // What was written before it comes first: the port has it already.
  running.on('exit', code => setImmediate(() => end(fault ?? `It ended with code ${code}.`, code)))
  setInterval(() => watch(program), watchMs)
  return port1
}

function watch({ processMegabytes, processorSeconds }: LockedProgram): void {
  const { user, system } = process.cpuUsage()
  if (processMegabytes !== null && process.memoryUsage.rss() > processMegabytes * mebi) end('It took more memory than it may.', null)
  else if (user + system > processorSeconds * 1e6) end('It took more processor time than it may.', null)
}

/** The reader of this message ends the process; without a reader it exits by itself. */
function end(detail: string, code: number | null): void {
  if (isEnded) return
  isEnded = true
  parent.postMessage({ kind: 'ended', detail, by: 'code', code })
  setTimeout(() => process.exit(1), 2_000)
}
