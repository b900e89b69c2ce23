import { spawn, type ChildProcess } from 'node:child_process'
import type { Runner } from './sandbox-process.ts'

/** A script that runs an interpreter behind Node's permission model, in a process of its own. */
export interface LockedProgram {
  readonly entry: string
  readonly args: readonly string[]
  /** Text of what runs inside beside the code. */
  readonly text: string
  /** The folder that it begins in. It may read it: Node's permission model lets a thread read where it begins, asked or not. */
  readonly folder: string
  /** More files and folders that it may read; nothing else exists for it. */
  readonly readable: readonly string[]
  /** Megabytes of JavaScript's heap. WebAssembly's memory is not among them. */
  readonly heapMegabytes: number
  /** Megabytes of the whole process; null where WebAssembly alone is bounded. */
  readonly processMegabytes: number | null
  /** Processor time limit in seconds, so that an abandoned program ends. */
  readonly processorSeconds: number
}

/** Starts a process for one program. */
export type StartLocked = (program: LockedProgram) => Runner

/** Switches of Node that lock a program in. They lock a process, and a thread as well. */
export function lockingArguments({ entry, folder, readable }: LockedProgram): string[] {
  return ['--permission', ...[entry, folder, ...readable].map(path => `--allow-fs-read=${path}`), '--no-warnings']
}

/** Starts the Node that runs this process. The packaged app has none; there, its main process starts the program. */
export const startInNode: StartLocked = program => runnerOf(spawnNode(program))

function spawnNode(program: LockedProgram): ChildProcess {
  const { entry, args, text, folder, heapMegabytes, processMegabytes, processorSeconds } = program
  const command = [
    ...lockingArguments(program),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${heapMegabytes}`,
    entry,
    ...args,
  ]
  const options = {
    cwd: folder,
    env: { ASSAY_SANDBOX_PROGRAM: text },
    stdio: 'pipe' as const,
    detached: true,
    windowsHide: true,
  }
  if (process.platform === 'win32') return spawn(process.execPath, command, options)
  // Only Linux counts what is mapped.
  const data = processMegabytes !== null && process.platform === 'linux' ? `ulimit -d ${processMegabytes * 1024}; ` : ''
  // The soft limit is told by a signal of its own (SIGXCPU), so that SIGKILL is somebody else's.
  const limited = `ulimit -c 0; ulimit -H -t ${processorSeconds + 5}; ulimit -S -t ${processorSeconds}; ${data}exec "$0" "$@"`
  return spawn('/bin/sh', ['-c', limited, process.execPath, ...command], options)
}

/** A child process as what runs an interpreter. */
export function runnerOf(child: ChildProcess): Runner {
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    kill: () => child.kill('SIGKILL'),
    onEnd: tell => {
      child.on('error', error => tell({ detail: error.message, by: 'outside' }))
      // Code inside WebAssembly can send no signal: it traps, aborts (SIGABRT) or uses its processor time up (SIGXCPU).
      child.on('close', (code, signal) =>
        tell({
          detail: signal ? `It was killed (${signal}).` : `It ended with code ${code}.`,
          by: signal === 'SIGKILL' || signal === 'SIGTERM' ? 'outside' : 'code',
          code,
        }),
      )
    },
  }
}
