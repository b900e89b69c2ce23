import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** The folder of real data beside the repository; tests that need it are skipped where it is absent. */
export const sharedData = new URL('../../../shared/data/', import.meta.url)
export const hasSharedData = existsSync(sharedData)
export const withoutSharedData = '(skipped where ../shared/data is absent)'

export function readShared(path: string): Buffer {
  const bytes = readFileSync(new URL(path, sharedData))
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

export function sharedLines(path: string): Record<string, unknown>[] {
  return readShared(path)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
}
