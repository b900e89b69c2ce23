import type { ChildProcess } from 'node:child_process'
import { Duplex } from 'node:stream'
import { type RunnerEnd, type SandboxProcess, speakTo } from './sandbox-process.ts'
import type { Role } from './tier.ts'

/** One process that has started an interpreter and forks a sandboxed one from it for each seat. It runs no code but ours. */
export interface ForkServer {
  /** False when its seats are used up, or when it has ended. */
  hasSeat(): boolean
  start(role: Role): SandboxProcess
  /** Starts nothing more and ends with the last process of it. */
  retire(): void
  /** Kills what it has started. Resolves when all of it is gone. */
  close(): Promise<void>
}

/** File descriptors before the first seat: standard input, output and error. */
export const firstSeat = 3
/** How long the processes may take to be killed before the server is, which ends them too. */
const closeMs = 5_000

/**
 * @param child started with a pipe for each seat behind its standard three; what it speaks is in `resources/sandbox/linux.py`
 * @param startMs how long one seat may take to set itself up
 */
export function openForkServer(child: ChildProcess, seats: number, startMs: number): ForkServer {
  const ends = new Map<number, (end: RunnerEnd) => void>()
  const gone = Promise.withResolvers<void>()
  let taken = 0
  let complaint = ''
  let fault: string | null = null
  let partial = ''
  let isRetired = false

  const tell = (line: string) => {
    const [seat, code, by] = line.split(' ')
    ends.get(Number(seat))?.(
      by === 'code'
        ? { detail: `It ended with code ${code}.`, by }
        : { detail: `It was killed from outside (code ${code}).`, by: 'outside' },
    )
  }
  const endIfIdle = () => {
    if (isRetired && ends.size === 0) child.stdin?.end()
  }
  const finish = (detail: string) => {
    fault ??= [detail, complaint.trim().split('\n').at(-1) ?? ''].join(' ').trim()
    for (const end of ends.values()) end({ detail: fault, by: 'outside' })
    gone.resolve()
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (partial + chunk).split('\n')
    partial = lines.pop() ?? ''
    for (const line of lines) tell(line)
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-4_000)
  })
  // Writing to a server that has just ended is reported by its end.
  child.stdin?.on('error', () => undefined)
  child.on('error', error => finish(error.message))
  child.on('exit', (code, signal) => finish(signal ? `It was killed (${signal}).` : `It ended with code ${code}.`))

  return {
    hasSeat: () => taken < seats && fault === null && !isRetired,
    retire: () => {
      isRetired = true
      endIfIdle()
    },
    start: role => {
      const seat = taken++
      const stream = child.stdio[firstSeat + seat]
      if (!(stream instanceof Duplex)) throw new Error('The sandbox has no seat left.')
      // A server that is being killed closes its seats before its end is known.
      const drained = new Promise<void>(resolve => (stream.closed ? resolve() : stream.on('close', resolve)))
      child.stdin?.write(`start ${seat} ${role}\n`)
      return speakTo(
        {
          stdin: stream,
          stdout: stream,
          stderr: null,
          kill: () => child.stdin?.write(`kill ${seat}\n`),
          onEnd: report => {
            const end = (how: RunnerEnd) => {
              ends.delete(seat)
              // Its last words come first. Where the server is gone there are none that count.
              if (fault !== null) stream.destroy()
              void drained.then(() => report(how))
              endIfIdle()
            }
            if (fault === null) ends.set(seat, end)
            else end({ detail: fault, by: 'outside' })
          },
        },
        startMs,
      )
    },
    close: async () => {
      child.stdin?.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), closeMs)
      await gone.promise
      clearTimeout(timer)
    },
  }
}
