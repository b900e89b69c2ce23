import { vi } from 'vitest'

export interface Printed {
  /** To both streams, in their order. */
  readonly text: () => string
  readonly restore: () => void
}

/** Takes what this process prints until it is restored. */
export function takePrinted(take: (stream: 'out' | 'err', text: string) => void = () => undefined): Printed {
  let text = ''
  const note = (stream: 'out' | 'err', said: string) => {
    text += said
    take(stream, said)
  }
  const written = (stream: 'out' | 'err') => (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown) => {
    note(stream, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const done = typeof encoding === 'function' ? encoding : callback
    if (typeof done === 'function') done()
    return true
  }
  const logged = (stream: 'out' | 'err') => (line: unknown) => note(stream, `${String(line)}\n`)
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(written('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(written('err')),
    vi.spyOn(console, 'log').mockImplementation(logged('out')),
    vi.spyOn(console, 'error').mockImplementation(logged('err')),
  ]
  return {
    text: () => text,
    restore: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
