import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { type SandboxProcess, speakTo, speakToThread } from './sandbox-process.ts'
import { quickjsBounds, type SandboxFiles, type Tier } from './tier.ts'

const startMs = 30_000

/**
 * QuickJS in WebAssembly. In a locked Node process where there is a Node to start, in a thread inside the packaged app.
 * @returns why there is none as a text
 */
export function javascriptTier(files: SandboxFiles): Promise<Tier | string> {
  return Promise.resolve(find(files, process.versions['electron'] === undefined ? startNode : startThread))
}

/** The same in a thread, which any runtime has. */
export function javascriptThreadTier(files: SandboxFiles): Tier | string {
  return find(files, startThread)
}

function find(files: SandboxFiles, start: (files: SandboxFiles) => SandboxProcess): Tier | string {
  if (!existsSync(files.quickjs.core)) return 'The package "quickjs-emscripten-core" is missing. Run "npm ci".'
  const isThread = start === startThread
  return {
    id: 'quickjs',
    title: 'QuickJS in WebAssembly',
    protects: `The code runs in an interpreter inside WebAssembly that has no function of this machine: no files, network, processes, environment, modules or timers exist for it, and a text is all that goes in or out. Memory is limited to 256 MiB. ${
      isThread
        ? 'It runs in a separate thread, which is terminated at the time limit.'
        : 'It is wrapped in a Node process with Node’s permission model, which may only read QuickJS’s own files and cannot start processes.'
    }`,
    limits: `A flaw in WebAssembly${isThread ? '' : ' and in Node’s permission model'} would leave the code with the rights of this user. It computes some ten times slower than Node.`,
    language: 'javascript',
    interpreter: `QuickJS-NG of quickjs-emscripten ${versionOf(files)}`,
    bounds: quickjsBounds,
    start: () => start(files),
    close: () => Promise.resolve(),
  }
}

function startNode({ javascriptEntry: entry, javascriptHarness: program, quickjs }: SandboxFiles): SandboxProcess {
  const args = [
    '--permission',
    ...[entry, ...quickjs.folders].map(path => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--max-old-space-size=128',
    '--no-warnings',
    entry,
    quickjs.core,
    quickjs.variant,
  ]
  const options = {
    cwd: dirname(entry),
    env: { ASSAY_SANDBOX_PROGRAM: program },
    stdio: 'pipe' as const,
    detached: true,
    windowsHide: true,
  }
  if (process.platform === 'win32') return speakTo(spawn(process.execPath, args, options), startMs)
  const limited = `ulimit -c 0; ulimit -t ${quickjsBounds.processorSeconds}; exec "$0" "$@"`
  return speakTo(spawn('/bin/sh', ['-c', limited, process.execPath, ...args], options), startMs)
}

function startThread({ javascriptEntry: entry, javascriptHarness: program, quickjs }: SandboxFiles): SandboxProcess {
  const thread = new Worker(entry, {
    argv: [quickjs.core, quickjs.variant],
    env: { ASSAY_SANDBOX_PROGRAM: program },
    execArgv: [],
    stdin: true,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  })
  return speakToThread(thread, startMs)
}

function versionOf({ quickjs }: SandboxFiles): string {
  const text = readFileSync(join(dirname(quickjs.core), '..', 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
