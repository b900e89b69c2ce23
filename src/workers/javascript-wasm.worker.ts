import { dirname } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { type MessagePort, isMainThread, workerData } from 'node:worker_threads'
import type {
  newQuickJSWASMModuleFromVariant,
  QuickJSContext,
  QuickJSRuntime,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core'

/**
 * QuickJS in WebAssembly, which runs model-written JavaScript: a separate process behind Node's permission model; in the packaged app in a
 * thread of such a process, which `sandbox-relay.worker.ts` speaks for. Started by `engine/grading/sandbox/javascript-tier.ts` with the
 * addresses of QuickJS and of its WebAssembly; other settings come in the environment. It may read this file and no other of
 * ours, so that it imports none.
 *
 * Nothing of this runtime is given to the code: a text goes in and a text comes out.
 */

const mebi = 1024 * 1024
/** QuickJS enforces its own limit; anything it does not count is bounded by WebAssembly's maximum memory. */
const mostCounted = 192 * mebi
const mostMemory = 256 * mebi
const mostStack = 256 * 1024
const page = 65_536
const mostReply = 16 * mebi
const tooLarge = '{"error":{"type":"TooLarge","message":"The value is larger than 16 MiB as text."}}'
/** The parent normally kills this process sooner; this limit applies when the parent is gone. */
const longestMs = 120_000

interface Core {
  readonly newQuickJSWASMModuleFromVariant: typeof newQuickJSWASMModuleFromVariant
}

const [, , corePath = '', variantPath = ''] = process.argv
const ready = `${JSON.stringify({ ready: 'candidate' })}\n`
const program = process.env['ASSAY_SANDBOX_PROGRAM'] ?? ''
let deadline = 0

requirePermissionModel()
lockDown()
const module = await loadModule()
const runtime = newRuntime()
const context = runtime.newContext()
const handle = context.unwrapResult(context.evalCode(program, 'harness.js'))
if (isMainThread) {
  process.stdout.write(ready)
  for await (const line of createInterface({ input: process.stdin })) process.stdout.write(answerLine(line))
} else {
  // The relay gives it.
  const { port } = workerData as { readonly port: MessagePort }
  const say = (text: string) => port.postMessage(Buffer.from(text))
  // One message is one line.
  port.on('message', (line: string) => say(answerLine(line.trimEnd())))
  say(ready)
}

function answerLine(line: string): string {
  deadline = Date.now() + longestMs
  return `${answer(line)}\n`
}

async function loadModule(): Promise<QuickJSWASMModule> {
  // The addresses are given at the start, so the compiler cannot know the modules; their own types say what they are.
  const { newQuickJSWASMModuleFromVariant: create } = (await import(pathToFileURL(corePath).href)) as Core
  const { default: variant } = (await import(pathToFileURL(variantPath).href)) as { readonly default: QuickJSSyncVariant }
  return await create(variant)
}

function newRuntime(): QuickJSRuntime {
  const made = module.newRuntime()
  made.setMemoryLimit(mostCounted)
  made.setMaxStackSize(mostStack)
  made.setInterruptHandler(() => deadline !== 0 && Date.now() > deadline)
  return made
}

/** A reply as text. A fault of WebAssembly itself leaves nothing that could be trusted, and ends the process. */
function answer(line: string): string {
  const command: unknown = JSON.parse(line)
  if (isOneCall(command)) return oneCall(command)
  const isLoad = typeof command === 'object' && command !== null && 'op' in command && command.op === 'load'
  const source = isLoad && 'source' in command ? String(command.source) : null
  // A script and not an evaluated text, so that what it declares by const and let can be called too.
  const result = source === null ? called(line) : context.evalCode(source, 'candidate.js')
  // Pending jobs of the code run before its result is sent, never during another request.
  runPending()
  if (result.error) {
    const fault: unknown = context.dump(result.error)
    result.error.dispose()
    return JSON.stringify({ error: describe(fault) })
  }
  if (source !== null) {
    result.value.dispose()
    return '{"value":null}'
  }
  const text = context.getString(result.value)
  result.value.dispose()
  return text.length <= mostReply ? text : tooLarge
}

interface OneCall {
  readonly op: 'once'
  /** Its value is a function from a text to a text. */
  readonly program: string
  readonly input: string
}

function isOneCall(command: unknown): command is OneCall {
  return typeof command === 'object' && command !== null && 'op' in command && command.op === 'once'
}

/** Calls a program's function in an interpreter of its own, so that no call leaves anything to the next. */
function oneCall({ program: source, input }: OneCall): string {
  const own = newRuntime()
  const inside = own.newContext()
  try {
    const made = inside.unwrapResult(inside.evalCode(source, 'program.js'))
    const text = inside.newString(input)
    const result = inside.callFunction(made, inside.undefined, text)
    const reply = result.error ? JSON.stringify({ error: describe(inside.dump(result.error)) }) : inside.getString(result.value)
    ;(result.error ?? result.value).dispose()
    text.dispose()
    made.dispose()
    return reply.length <= mostReply ? reply : tooLarge
  } finally {
    inside.dispose()
    own.dispose()
  }
}

function called(line: string): ReturnType<QuickJSContext['callFunction']> {
  const text = context.newString(line)
  const result = context.callFunction(handle, context.undefined, text)
  text.dispose()
  return result
}

/** A failed job is not an answer; the others still run. */
function runPending(): void {
  for (;;) {
    const jobs = context.runtime.executePendingJobs()
    if (!jobs.error) return
    jobs.error.dispose()
    if (Date.now() > deadline) return
  }
}

function describe(fault: unknown): { type: string; message: string; module?: string } {
  const part = (name: 'name' | 'message' | 'module') =>
    typeof fault === 'object' && fault !== null && name in fault ? String(Reflect.get(fault, name)) : null
  const module = part('module')
  return {
    type: (part('name') ?? 'Error').slice(0, 100),
    message: (part('message') ?? String(fault)).slice(0, 500),
    ...(module !== null && { module }),
  }
}

/** What starts this asks for the permission model. Where that had no effect, there is no second barrier, and nothing runs. */
function requirePermissionModel(): void {
  // Node's types have it always; it is there only where the model is in force.
  const permission: typeof process.permission | undefined = process.permission
  const isLocked = permission && !['fs.read', 'fs.write', 'child', 'worker', 'addon'].some(scope => permission.has(scope))
  if (!isLocked || permission.has('fs.read', process.execPath) || permission.has('fs.read', dirname(import.meta.dirname)))
    throw new Error('Node’s permission model is not in force')
}

function lockDown(): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) Reflect.deleteProperty(globalThis, name)
  // Electron's own modules.
  Reflect.deleteProperty(process, '_linkedBinding')
  // The compiler knows WebAssembly only together with the browser's types, which this runtime has not.
  const { Memory } = Reflect.get(globalThis, 'WebAssembly') as {
    Memory: { prototype: { readonly buffer: ArrayBuffer; grow(this: { readonly buffer: ArrayBuffer }, pages: number): number } }
  }
  const { grow } = Memory.prototype
  Memory.prototype.grow = function capped(pages) {
    if (this.buffer.byteLength + pages * page > mostMemory) throw new RangeError('the sandbox has no more memory')
    return grow.call(this, pages)
  }
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
}
