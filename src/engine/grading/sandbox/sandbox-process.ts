import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Characters of one reply that are kept; the harness itself stays below. */
const mostReply = 32 * 1024 * 1024
const mostComplaint = 4_000

/** What came back for one message: a line, or why there is none. */
export type Answer =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'timeout' }
  /** The process is gone: it crashed, was killed for its limits, or ended itself. */
  | { readonly kind: 'ended'; readonly detail: string }

/** One sandboxed interpreter, spoken to a line at a time. */
export interface SandboxProcess {
  /** Resolves when it is set up inside its sandbox, with what it says of itself or why it could not start. */
  readonly ready: Promise<Answer>
  /** Sends a line and waits for one. A process that keeps silent longer than `timeoutMs` is killed. */
  ask(message: unknown, timeoutMs: number): Promise<Answer>
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
  onEnd(tell: (detail: string, code?: number | null) => void): void
}

/** @param startMs how long it may take to set itself up */
export function speakTo(runner: Runner, startMs: number): SandboxProcess {
  const decoder = new StringDecoder('utf8')
  const lines: string[] = []
  let partial: string[] = []
  let partialLength = 0
  let complaint = ''
  let waiting: ((answer: Answer) => void) | null = null
  let end: Answer | null = null
  const gone = Promise.withResolvers<void>()

  const deliver = () => {
    const answer = lines.length > 0 ? { kind: 'line' as const, text: lines.shift() ?? '' } : end
    if (!answer || !waiting) return
    const tell = waiting
    waiting = null
    tell(answer)
  }
  const finish = (detail: string) => {
    end ??= { kind: 'ended', detail }
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
      finish('It wrote more than may be read.')
      kill()
    }
    deliver()
  })
  runner.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < mostComplaint) complaint += chunk.toString('utf8').slice(0, mostComplaint)
  })
  // Writing to a process that has just died is no fault of ours; its end is reported by `close`.
  runner.stdin?.on('error', () => undefined)
  runner.onEnd(detail => {
    finish([detail, complaint.trim().split('\n').at(-1) ?? ''].join(' ').trim())
    gone.resolve()
  })

  const next = (timeoutMs: number): Promise<Answer> =>
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

  const ready = next(startMs).then(answer => {
    if (answer.kind !== 'line' || answer.text.startsWith('{"ready":')) return answer
    finish(answer.text.slice(0, mostComplaint))
    kill()
    return end ?? answer
  })
  return {
    ready,
    ask: async (message, timeoutMs) => {
      await ready
      if (end) return end
      // What was said unasked answers nothing.
      lines.length = 0
      runner.stdin?.write(`${JSON.stringify(message)}\n`)
      return next(timeoutMs)
    },
    close: () => {
      end ??= { kind: 'ended', detail: 'It was closed.' }
      kill()
      return gone.promise
    },
  }
}
