import { readFileSync, readSync, writeSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type MessagePort, isMainThread, receiveMessageOnPort, workerData } from 'node:worker_threads'

/**
 * Python in WebAssembly in a separate process behind Node's permission model; in the packaged app in a thread of such a process, which
 * `sandbox-relay.worker.ts` speaks for. Started by `engine/grading/sandbox/portable-tier.ts` with the folder of pyodide, the snapshot or an
 * empty text, and `serve` or `snapshot`; the program to run comes in the environment. It may read this file and no other of ours, so that
 * it imports none.
 *
 * Everything that pyodide could reach the machine with is taken away before it is loaded.
 */

const mostMemory = 512 * 1024 * 1024
const page = 65_536
/** Bytes that files in memory may take; they lie outside Python's own memory. */
const mostFiles = 64 * 1024 * 1024
/** Files, folders and links that may be made. */
const mostNodes = 4_096
const noSpaceLeft = 51

interface FileNode {
  contents?: ArrayLike<number> | null
  readonly usedBytes?: number
}
type Write = (
  stream: { readonly node: FileNode },
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
  canOwn?: boolean,
) => number

/**
 * Run before anything else in the interpreter: takes away what leads from Python to JavaScript, where memory has no bound of ours. That
 * is for code that asks for it by name; code that digs the interpreter's own parts out meets the operating system's limit. The modules
 * are emptied too, since the frame that runs all this belongs to one of them, and it never returns to them.
 */
const withoutBridges = `
def cut_bridges(names):
    import sys
    import time

    # Pyodide's own waits for JavaScript.
    time.sleep = getattr(time.sleep, '__wrapped__', time.sleep)
    bridges = ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')
    for name in [name for name in sys.modules if name.split('.')[0] in bridges]:
        module = sys.modules[name]
        if type(module) is type(sys):
            module.__dict__.clear()
        # Refuses every import of it.
        sys.modules[name] = None
    for name in bridges:
        sys.modules[name] = None
        names.pop(name, None)
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if type(finder).__name__ != 'JsFinder' and getattr(finder, '__module__', '').split('.')[0] not in bridges
    ]

cut_bridges(globals())
del cut_bridges
`

/** The part of pyodide that is used here; the options with an underscore belong to one version of it, which package.json pins. */
interface Pyodide {
  runPython(code: string): unknown
  setStdin(from: { read(buffer: Uint8Array): number }): void
  setStdout(to: { write(buffer: Uint8Array): number }): void
  setStderr(to: { write(buffer: Uint8Array): number }): void
  makeMemorySnapshot(): Uint8Array
  readonly FS: {
    readonly filesystems: {
      readonly MEMFS: {
        createNode(...args: readonly unknown[]): unknown
        expandFileStorage(node: FileNode, capacity: number): void
        resizeFileStorage(node: FileNode, size: number): void
        readonly stream_ops: { write: Write }
        readonly ops_table: { readonly file: { readonly stream: { write: Write } } }
      }
    }
    readonly ErrnoError: new (code: number) => Error
  }
}
interface PyodideModule {
  loadPyodide(options: Readonly<Record<string, unknown>>): Promise<Pyodide>
}

const [, , folder = '', snapshot = '', mode = 'serve'] = process.argv
const program = process.env['ASSAY_SANDBOX_PROGRAM'] ?? ''

const idle = new Int32Array(new SharedArrayBuffer(4))
const { read, write } = isMainThread ? standardStreams() : messages()

requirePermissionModel()
lockDown()
await begin()

async function begin(): Promise<void> {
  // The address is given at the start, so the compiler cannot know the module; the interface above is what is used of it.
  const { loadPyodide } = (await import(pathToFileURL(`${folder}/pyodide.mjs`).href)) as PyodideModule
  const isSnapshot = mode === 'snapshot'
  const python = await loadPyodide({
    indexURL: `${folder}/`,
    jsglobals: Object.freeze(Object.create(null)),
    env: { HOME: '/task', PYTHONDONTWRITEBYTECODE: '1' },
    ...(isSnapshot && { _makeSnapshot: true }),
    ...(snapshot !== '' && { _loadSnapshot: readFileSync(snapshot) }),
  })
  if (isSnapshot) {
    write(python.makeMemorySnapshot())
    return
  }
  capFiles(python.FS)
  python.setStdin({ read })
  python.setStdout({ write })
  python.setStderr({ write: buffer => buffer.length })
  python.runPython(`${withoutBridges}\n${program}`)
}

/** How the interpreter reads and writes: both wait. What is read is 0 bytes at the end. */
interface Streams {
  read(buffer: Uint8Array): number
  write(bytes: Uint8Array): number
}

function standardStreams(): Streams {
  return {
    read: buffer => {
      for (;;) {
        try {
          return readSync(0, buffer)
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? error.code : null
          if (code === 'EOF') return 0
          if (code !== 'EAGAIN') throw error
          Atomics.wait(idle, 0, 0, 1)
        }
      }
    },
    write: bytes => {
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(1, bytes, at)
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
          Atomics.wait(idle, 0, 0, 1)
        }
      }
      return bytes.length
    },
  }
}

/** A thread has no standard input that it could wait for: it sleeps until the relay has sent something. */
function messages(): Streams {
  // The relay gives both.
  const { port, sent } = workerData as { readonly port: MessagePort; readonly sent: Int32Array<SharedArrayBuffer> }
  let unread = Buffer.alloc(0)
  return {
    read: buffer => {
      while (unread.length === 0) {
        const before = Atomics.load(sent, 0)
        const received: { readonly message: string } | undefined = receiveMessageOnPort(port)
        if (received) unread = Buffer.from(received.message)
        else Atomics.wait(sent, 0, before)
      }
      const length = unread.copy(buffer)
      unread = unread.subarray(length)
      return length
    },
    write: bytes => {
      // A copy: these bytes are the interpreter's memory.
      port.postMessage(Uint8Array.from(bytes))
      return bytes.length
    },
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
  const require = createRequire(import.meta.url)
  const refuse = () => {
    throw new Error('not in the sandbox')
  }
  const constants = require('node:fs').constants
  // Pyodide's own file layer asks for this one binding's constants.
  Reflect.set(process, 'binding', () => ({ constants, fs: constants }))
  const net = require('node:net')
  net.Socket.prototype.connect = refuse
  net.connect = refuse
  net.createConnection = refuse
  net.Server.prototype.listen = refuse
  require('node:dgram').createSocket = refuse
  const dns = require('node:dns')
  for (const name of Object.keys(dns)) if (typeof dns[name] === 'function') dns[name] = refuse
  for (const name of Object.keys(dns.promises)) if (typeof dns.promises[name] === 'function') dns.promises[name] = refuse
  syncBuiltinESMExports()
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'navigator']) Reflect.deleteProperty(globalThis, name)
  // Electron's own modules.
  Reflect.deleteProperty(process, '_linkedBinding')
  capMemory()
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
}

/** Growing beyond the limit throws, which Python reports as MemoryError. */
function capMemory(): void {
  // The compiler knows WebAssembly only together with the browser's types, which this runtime has not.
  const { Memory } = Reflect.get(globalThis, 'WebAssembly') as {
    Memory: { prototype: { readonly buffer: ArrayBuffer; grow(this: { readonly buffer: ArrayBuffer }, pages: number): number } }
  }
  const { grow } = Memory.prototype
  Memory.prototype.grow = function capped(pages) {
    if (this.buffer.byteLength + pages * page > mostMemory) throw new RangeError('the sandbox has no more memory')
    return grow.call(this, pages)
  }
}

/** Everything ever given to a file counts, however it is given, and every file ever made: making and removing files gains nothing. */
function capFiles({ filesystems: { MEMFS }, ErrnoError }: Pyodide['FS']): void {
  let given = 0
  let made = 0
  const take = (bytes: number) => {
    if (given + bytes > mostFiles) throw new ErrnoError(noSpaceLeft)
    given += Math.max(0, bytes)
  }
  const { createNode, expandFileStorage, resizeFileStorage } = MEMFS
  const { write } = MEMFS.stream_ops
  MEMFS.expandFileStorage = (node, capacity) => {
    const before = node.contents?.length ?? 0
    if (capacity > before) take(capacity - before)
    expandFileStorage(node, capacity)
    // Grows geometrically, so that appending does not copy the file each time.
    given += Math.max(0, (node.contents?.length ?? 0) - Math.max(before, capacity))
  }
  MEMFS.resizeFileStorage = (node, size) => {
    take(Math.max(0, size - (node.contents?.length ?? 0)))
    resizeFileStorage(node, size)
  }
  const capped: Write = (stream, buffer, offset, length, position, canOwn) => {
    // The first bytes of a file are taken as they are, past the function above.
    if (canOwn || (stream.node.usedBytes === 0 && position === 0)) take(length)
    return write(stream, buffer, offset, length, position, canOwn)
  }
  MEMFS.stream_ops.write = capped
  MEMFS.ops_table.file.stream.write = capped
  MEMFS.createNode = (...args) => {
    if (++made > mostNodes) throw new ErrnoError(noSpaceLeft)
    return createNode(...args)
  }
}
