import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a folder durable: a file's own flush does not. Windows has no such thing and does it by itself. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
