import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface LogFile {
  write(line: string): void
  close(): void
}

export interface LogFileLimits {
  /** Bytes after which a file is full. */
  readonly maxBytes: number
  /** Full files that are kept, the newest as `.1`. */
  readonly kept: number
}

const usual: LogFileLimits = { maxBytes: 10 * 1024 * 1024, kept: 4 }

/** Lines wait for company at most this long, in milliseconds, or until there are this many bytes of them. */
const flushDelayMs = 500
const batchBytes = 16 * 1024

/**
 * A log that never grows beyond its limits and never stops the service: what a full or read-only disk does not take is counted, and
 * said when there is room again.
 */
export function openLogFile(path: string, { maxBytes, kept }: LogFileLimits = usual): LogFile {
  let waiting = ''
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let file: { readonly descriptor: number; size: number } | null = null

  const open = () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const descriptor = openSync(path, 'a', 0o600)
    return { descriptor, size: fstatSync(descriptor).size }
  }
  const shut = () => {
    if (file) closeSync(file.descriptor)
    file = null
  }
  const rotate = () => {
    shut()
    rmSync(`${path}.${kept}`, { force: true })
    for (let i = kept - 1; i >= 0; i--) renameIfThere(i === 0 ? path : `${path}.${i}`, `${path}.${i + 1}`)
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text === '') return
    try {
      file ??= open()
      if (file.size > 0 && file.size + Buffer.byteLength(text) > maxBytes) {
        rotate()
        file = open()
      }
      const note =
        dropped > 0 ? `${JSON.stringify({ level: 40, time: new Date().toISOString(), dropped, msg: 'log lines were lost' })}\n` : ''
      file.size += writeSync(file.descriptor, note + text)
      dropped = 0
    } catch {
      dropped += text.split('\n').length - 1
      shut()
    }
  }
  return {
    write: line => {
      waiting += line
      if (waiting.length >= batchBytes) flush()
      else timer ??= setTimeout(flush, flushDelayMs).unref()
    },
    close: () => {
      flush()
      shut()
    },
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
