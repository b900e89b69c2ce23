import { isEqual } from './json-values.ts'
import { isObject } from '../../../lib/json-value.ts'

/** One difference between two states. `undefined`: the part is not there. */
export interface StateChange {
  /** JSON pointer. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Differences that are described; the rest is counted. */
const mostChanges = 100

/**
 * The differences of two states, each as deep as it goes: objects are compared key by key, lists item by item.
 * @param ignored JSON pointers whose parts may differ; `*` is any key or index
 */
export function stateChanges(before: unknown, after: unknown, ignored: readonly string[] = []): StateChange[] {
  const patterns = ignored.map(pointer => pointer.split('/').slice(1).map(unescape))
  const changes: StateChange[] = []
  const walk = (a: unknown, b: unknown, path: readonly string[]): void => {
    if (changes.length >= mostChanges || patterns.some(pattern => covers(pattern, path)) || isEqual(a, b)) return
    const keys = Array.isArray(a) && Array.isArray(b) ? indexesOf(a, b) : isObject(a) && isObject(b) ? keysOf(a, b) : null
    if (keys === null) {
      changes.push({ path: path.map(part => `/${escape(part)}`).join(''), before: a, after: b })
      return
    }
    for (const key of keys) walk(partOf(a, key), partOf(b, key), [...path, key])
  }
  walk(before, after, [])
  return changes
}

/** The parts of a state that a JSON pointer names, by their own pointers; `*` is any key or index. */
export function partsAt(state: unknown, pointer: string): Map<string, unknown> {
  let parts = new Map<string, unknown>([['', state]])
  for (const part of pointer.split('/').slice(1).map(unescape)) {
    const next = new Map<string, unknown>()
    for (const [path, value] of parts) {
      if (typeof value !== 'object' || value === null) continue
      for (const key of part === '*' ? Object.keys(value) : [part])
        if (Object.hasOwn(value, key)) next.set(`${path}/${escape(key)}`, Reflect.get(value, key))
    }
    parts = next
  }
  return parts
}

/** Whether a change at one pointer changes what another points to. */
export function touches(changed: string, path: string): boolean {
  return changed === path || changed.startsWith(`${path}/`) || path.startsWith(`${changed}/`) || changed === ''
}

function covers(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((part, i) => part === '*' || part === path[i])
}

function indexesOf(a: readonly unknown[], b: readonly unknown[]): string[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => String(i))
}

function keysOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescape(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
