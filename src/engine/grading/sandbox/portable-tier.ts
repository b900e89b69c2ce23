import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { speakTo } from './sandbox-process.ts'
import { portableBounds, type SandboxFiles, type Tier } from './tier.ts'

const startMs = 60_000
const snapshotMs = 120_000
/** Kilobytes that the whole process may write to, WebAssembly and JavaScript together. Only Linux counts what is mapped. */
const dataKilobytes = 1_536 * 1024
const dataLimit = process.platform === 'linux' ? `ulimit -d ${dataKilobytes}; ` : ''

/** Python in WebAssembly in a locked Node process. @returns why there is none as a text */
export async function portableTier(files: SandboxFiles): Promise<Tier | string> {
  if (process.versions['electron'] !== undefined)
    return 'The packaged app contains no separate Node to sandbox code in. Run Assay with "npm start" or "npm run serve".'
  if (!existsSync(join(files.pyodide, 'pyodide.mjs'))) return 'The package "pyodide" is missing. Run "npm ci".'
  const version = versionOf(files.pyodide)
  const snapshot = await snapshotOf(files, version)
  return {
    id: 'portable',
    title: 'Python in WebAssembly',
    protects:
      'The code runs in WebAssembly, where there are no files, processes, sockets or devices of this machine. It is wrapped in a Node process with Node’s permission model: it may read Python’s own files and nothing else, write nothing and start nothing; its network functions and code generation are taken away. Python’s memory is limited to 512 MiB, its files to 64 MiB and 4,096 of them, and on Linux the process as a whole to 1.5 GiB.',
    limits:
      'Outside Linux nothing bounds the memory that code may take by way of JavaScript, for as long as it runs. A flaw in WebAssembly, in pyodide or in Node’s permission model would leave the code with the rights of this user: on Linux the tier with namespaces is the stronger one. Python’s standard library only; it starts in about half a second and computes about three times slower.',
    language: 'python',
    interpreter: `pyodide ${version}`,
    bounds: portableBounds,
    start: role => speakTo(startNode(files, snapshot, 'serve', `${files.harness}\nserve(${JSON.stringify(role)})\n`), startMs),
    close: () => Promise.resolve(),
  }
}

function startNode(files: SandboxFiles, snapshot: string, mode: 'serve' | 'snapshot', program: string): ChildProcess {
  const readable = [files.pyodide, files.portableEntry, ...(snapshot === '' ? [] : [snapshot])]
  const args = [
    '--permission',
    ...readable.map(path => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--max-old-space-size=512',
    '--no-warnings',
    files.portableEntry,
    files.pyodide,
    snapshot,
    mode,
  ]
  const options = { cwd: files.pyodide, env: { ASSAY_SANDBOX_PROGRAM: program }, stdio: 'pipe' as const, detached: true, windowsHide: true }
  if (process.platform === 'win32') return spawn(process.execPath, args, options)
  return spawn(
    '/bin/sh',
    ['-c', `ulimit -c 0; ulimit -t ${portableBounds.processorSeconds}; ${dataLimit}exec "$0" "$@"`, process.execPath, ...args],
    options,
  )
}

function versionOf(folder: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version
}

/** Memory snapshot of the started interpreter, made once per version: six times faster than a start. Empty where it cannot be stored. */
async function snapshotOf(files: SandboxFiles, version: string): Promise<string> {
  if (files.cache === null) return ''
  const path = join(files.cache, `python-${version}-node-${process.versions.node}.snapshot`)
  if (existsSync(path)) return path
  try {
    const bytes = await makeSnapshot(files)
    mkdirSync(files.cache, { recursive: true, mode: 0o700 })
    const partial = `${path}.${process.pid}.partial`
    writeFileSync(partial, bytes, { mode: 0o600 })
    renameSync(partial, path)
    return path
  } catch {
    // Slower, and nothing else: the tier works without.
    return ''
  }
}

function makeSnapshot(files: SandboxFiles): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = startNode(files, '', 'snapshot', '')
    const parts: Buffer[] = []
    const timer = setTimeout(() => child.kill('SIGKILL'), snapshotMs)
    child.stdout?.on('data', (part: Buffer) => parts.push(part))
    child.stderr?.resume()
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      const bytes = Buffer.concat(parts)
      if (code === 0 && bytes.length > 0) resolve(bytes)
      else reject(new Error(`The snapshot was not made (code ${code}).`))
    })
  })
}
