import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Characters of one reply that are kept; the harness itself stays below. */
const mostReply = 32 * 1024 * 1024
const mostComplaint = 4_000
/** Of the last line of those, which may be the interpreter's own program. */
const mostSaid = 300

/** What came back for one message: a line, or why there is none. All of it is the code's own doing. */
export type Answer =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'timeout' }
  /** The code ended its process: it crashed, broke a limit, or ended itself. */
  | { readonly kind: 'ended'; readonly detail: string }

/**
 * The sandbox itself is gone: its process was killed from outside, its fork server ended, or it never set itself up. It says nothing
 * about the code, so that no verdict may follow from it.
 */
export class SandboxLostError extends Error {
  override readonly name = 'SandboxLostError'
}

/** How a process came to its end. */
export interface RunnerEnd {
  readonly detail: string
  /** Whose doing it was: `code` where only what runs inside can have caused it, `outside` otherwise. */
  readonly by: 'code' | 'outside'
  readonly code?: number | null
}

/** One sandboxed interpreter, which reads and writes a line at a time. */
export interface SandboxProcess {
  /** Resolves when it is set up inside its sandbox, with what it says of itself. @throws SandboxLostError where it could not start */
  readonly ready: Promise<string>
  /**
   * Sends a line and waits for one. A process that keeps silent longer than `timeoutMs` is killed.
   * @throws SandboxLostError
   */
  ask(message: unknown, timeoutMs: number): Promise<Answer>
  /** Whether it can be asked nothing more. */
  isOver(): boolean
  /** Kills it and everything it may have started. Resolves when it is gone. */
  close(): Promise<void>
}

/** What runs the interpreter: a process, or a seat of a fork server. */
export interface Runner {
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  kill(): void
  /** Called once, when it is gone or never was. */
  onEnd(tell: (end: RunnerEnd) => void): void
}

type Ended = Exclude<Answer, { kind: 'line' }> | { readonly kind: 'lost'; readonly detail: string }

/** @param startMs how long it may take to set itself up */
export function speakTo(runner: Runner, startMs: number): SandboxProcess {
  const decoder = new StringDecoder('utf8')
  const lines: string[] = []
  let partial: string[] = []
  let partialLength = 0
  let complaint = ''
  let waiting: ((answer: Answer | Ended) => void) | null = null
  let end: Ended | null = null
  const gone = Promise.withResolvers<void>()

  const deliver = () => {
    const answer = lines.length > 0 ? { kind: 'line' as const, text: lines.shift() ?? '' } : end
    if (!answer || !waiting) return
    const tell = waiting
    waiting = null
    tell(answer)
  }
  const finish = (how: Ended) => {
    end ??= how
    deliver()
  }
  const kill = () => runner.kill()
  runner.stdout?.on('data', (chunk: Buffer) => {
    const pieces = decoder.write(chunk).split('\n')
    partial.push(pieces[0] ?? '')
    partialLength += pieces[0]?.length ?? 0
    for (const piece of pieces.slice(1)) {
      lines.push(partial.join(''))
      partial = [piece]
      partialLength = piece.length
    }
    // Nothing is said unasked but "ready", so a heap of lines is an attack on our memory.
    if (partialLength > mostReply || lines.length > 100) {
      finish({ kind: 'ended', detail: 'It wrote more than may be read.' })
      kill()
    }
    deliver()
  })
  runner.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < mostComplaint) complaint += chunk.toString('utf8').slice(0, mostComplaint)
  })
  // Writing to a process that has just died is not a fault of ours; its end is reported by `close`.
  runner.stdin?.on('error', () => undefined)
  runner.onEnd(({ detail, by }) => {
    const full = [detail, complaint.trim().split('\n').at(-1)?.slice(0, mostSaid) ?? ''].join(' ').trim()
    finish({ kind: by === 'code' ? 'ended' : 'lost', detail: full })
    gone.resolve()
  })

  const next = (timeoutMs: number): Promise<Answer | Ended> =>
    new Promise(resolve => {
      const timer = setTimeout(() => {
        waiting = null
        end ??= { kind: 'timeout' }
        kill()
        resolve({ kind: 'timeout' })
      }, timeoutMs)
      waiting = answer => {
        clearTimeout(timer)
        resolve(answer)
      }
      deliver()
    })

  // No code has run before it is ready, so whatever goes wrong until then is the sandbox's.
  const begin = async (): Promise<string> => {
    const answer = await next(startMs)
    if (answer.kind === 'line' && answer.text.startsWith('{"ready":')) return answer.text
    const detail =
      answer.kind === 'line'
        ? answer.text.slice(0, mostComplaint)
        : answer.kind === 'timeout'
          ? `It did not start within ${startMs / 1000} s.`
          : answer.detail
    end = { kind: 'lost', detail }
    kill()
    throw new SandboxLostError(detail)
  }
  const ready = begin()
  // Requests to it are told; a process without requests loses nothing.
  ready.catch(() => undefined)
  const known = (answer: Answer | Ended): Answer => {
    if (answer.kind === 'lost') throw new SandboxLostError(answer.detail)
    return answer
  }
  return {
    ready,
    isOver: () => end !== null,
    ask: async (message, timeoutMs) => {
      await ready
      if (end) return known(end)
      // What was said unasked answers nothing.
      lines.length = 0
      runner.stdin?.write(`${JSON.stringify(message)}\n`)
      return known(await next(timeoutMs))
    },
    close: () => {
      end ??= { kind: 'ended', detail: 'It was closed.' }
      kill()
      return gone.promise
    },
  }
}
