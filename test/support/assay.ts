import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { program } from './program.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface RunningCommand {
  readonly ended: Promise<Ended>
  /** Resolves with its first match in what goes to standard error. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
}

/** Starts the command line as a process of its own. @param options `out`: descriptor that its output goes to */
export function startAssay(
  args: readonly string[],
  { isReaderGone = false, out: target, ...options }: { readonly cwd?: string; readonly isReaderGone?: boolean; readonly out?: number } = {},
): RunningCommand {
  const env = { ...process.env, GITHUB_STEP_SUMMARY: '' }
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', target ?? 'pipe', 'pipe'], env, ...options })
  if (isReaderGone) child.stdout?.destroy()
  let [out, err] = ['', '']
  const watchers = new Set<() => void>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text
    for (const look of watchers) look()
  })
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, out, err }))
  return {
    ended,
    kill: signal => child.kill(signal),
    waitFor: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(err)
          if (!found) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
        void ended.then(({ code }) => reject(new Error(`The command ended with ${code} before it said ${pattern}: ${err}`)))
      }),
  }
}

export function assay(args: readonly string[], options: { readonly cwd?: string } = {}): Promise<Ended> {
  return startAssay(args, options).ended
}
