import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { startInNode, type StartLocked } from './locked-program.ts'
import { type Runner, speakTo } from './sandbox-process.ts'
import { portableBounds, type SandboxFiles, type Tier } from './tier.ts'

const startMs = 60_000
const snapshotMs = 120_000
/** Megabytes of the whole process, WebAssembly and JavaScript together. */
const processMegabytes = 1_536

/** Python in WebAssembly, behind Node's permission model. @returns why there is none as a text */
export async function portableTier(files: SandboxFiles, start: StartLocked = startInNode): Promise<Tier | string> {
  if (!existsSync(join(files.pyodide, 'pyodide.mjs'))) return 'The package "pyodide" is missing. Run "npm ci".'
  const version = versionOf(files.pyodide)
  const begin = (snapshot: string, mode: 'serve' | 'snapshot', text: string): Runner =>
    start({
      entry: files.portableEntry,
      args: [files.pyodide, snapshot, mode],
      text,
      folder: files.pyodide,
      readable: snapshot === '' ? [] : [snapshot],
      heapMegabytes: 512,
      processMegabytes,
      processorSeconds: portableBounds.processorSeconds,
    })
  const snapshot = await snapshotOf(files, version, () => begin('', 'snapshot', ''))
  const isNode = start === startInNode
  return {
    id: 'portable',
    title: 'Python in WebAssembly',
    protects: `The code runs in WebAssembly, where there are no files, processes, sockets or devices of this machine. It is wrapped in a Node process with Node’s permission model: it may read Python’s own files and nothing else, write nothing and start nothing; its network functions and code generation are taken away. Python’s memory is limited to 512 MiB, its files to 64 MiB and 4,096 of them${isNode ? ', and on Linux the process as a whole to 1.5 GiB' : ', and the process is ended when it takes more than 1.5 GiB'}.`,
    limits: `${isNode ? 'Outside Linux nothing bounds the memory that code may take by way of JavaScript, for as long as it runs. ' : ''}A flaw in WebAssembly, in pyodide or in Node’s permission model would leave the code with the rights of this user: on Linux the tier with namespaces is the stronger one. Python’s standard library only; it starts in about half a second and computes about three times slower.`,
    language: 'python',
    interpreter: `pyodide ${version}`,
    bounds: portableBounds,
    start: role => speakTo(begin(snapshot, 'serve', `${files.harness}\nserve(${JSON.stringify(role)})\n`), startMs),
    renew: () => undefined,
    close: () => Promise.resolve(),
  }
}

function versionOf(folder: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version
}

/** Memory snapshot of the started interpreter, made once per version: six times faster than a start. Empty where it cannot be stored. */
async function snapshotOf({ cache }: SandboxFiles, version: string, begin: () => Runner): Promise<string> {
  if (cache === null) return ''
  const path = join(cache, `python-${version}-node-${process.versions.node}.snapshot`)
  if (existsSync(path)) return path
  try {
    const bytes = await makeSnapshot(begin())
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    const partial = `${path}.${process.pid}.partial`
    writeFileSync(partial, bytes, { mode: 0o600 })
    renameSync(partial, path)
    return path
  } catch {
    // Slower, and nothing else: the tier works without.
    return ''
  }
}

function makeSnapshot(runner: Runner): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const timer = setTimeout(() => runner.kill(), snapshotMs)
    runner.stdout?.on('data', (part: Buffer) => parts.push(part))
    runner.stderr?.resume()
    runner.onEnd(({ detail, code }) => {
      clearTimeout(timer)
      const bytes = Buffer.concat(parts)
      if (code === 0 && bytes.length > 0) resolve(bytes)
      else reject(new Error(`The snapshot was not made. ${detail}`))
    })
  })
}
