import { workerData } from 'node:worker_threads'

/** Bytes of the longest path, behind four that say how many there are. */
const most = 4_096

/** The database of a thread that serves one service after the other. */
export const newBinding = (): SharedArrayBuffer => new SharedArrayBuffer(4 + most)

export function bindTo(bound: SharedArrayBuffer, path: string): void {
  const bytes = Buffer.from(path)
  new Uint8Array(bound, 4).set(bytes)
  new Int32Array(bound, 0, 1)[0] = bytes.length
}

function boundTo(bound: SharedArrayBuffer): string {
  return Buffer.from(bound, 4, new Int32Array(bound, 0, 1)[0]).toString()
}

// Loaded before a thread's worker (`--import`), which asks for the path whenever it needs it.
const data: unknown = workerData
if (typeof data === 'object' && data !== null && 'bound' in data && data.bound instanceof SharedArrayBuffer) {
  const { bound } = data
  Object.defineProperty(data, 'databasePath', { get: () => boundTo(bound), enumerable: true })
}
