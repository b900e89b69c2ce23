import { createHash } from 'node:crypto'
import type { Shot, Task } from '../../tasks/task.ts'
import { isObject } from '../../../lib/json-value.ts'

/**
 * SHA-256 over the content of a version: a line of canonical JSON for each task in order, then one for each worked example behind the
 * word `shot`. Canonical means: no blanks, the keys of every object
 * sorted by their UTF-16 code units, except that keys which are whole numbers come first.
 */
export class ContentDigest {
  private readonly hash = createHash('sha256')

  /** @returns how many characters it has */
  add(task: Task): number {
    const text = canonicalJson(task)
    this.hash.update(`${text}\n`)
    return text.length
  }

  /** Ends it. @param shots the worked examples that belong to the version */
  of(shots: readonly Shot[]): string {
    for (const shot of shots) this.hash.update(`shot ${canonicalJson(shot)}\n`)
    return this.hash.digest('hex')
  }
}

export function contentDigest(tasks: readonly Task[], shots: readonly Shot[]): string {
  const digest = new ContentDigest()
  for (const task of tasks) digest.add(task)
  return digest.of(shots)
}

/** JSON that is the same text whenever it means the same. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(byKey)) : inner))
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
