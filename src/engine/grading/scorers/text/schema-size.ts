import { isJsonObject } from './json-text.ts'

/** Subschemas that a schema may come to with its references followed: validation can take a step for each, at every value. */
export const mostSubschemas = 2_000

/**
 * Subschemas that a schema consists of where each reference stands for what it names, as a validator meets them on one value. A
 * reference within what it names counts once: it leads on only with a deeper value. Stops counting beyond the most.
 */
export function expandedSize(schema: unknown): number {
  const sizes = new Map<unknown, number>()
  const open = new Set<unknown>()
  const anchors = new Map<string, unknown>()
  const visit = (node: unknown, found: (object: Readonly<Record<string, unknown>>) => void): void => {
    const rest: unknown[] = [node]
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
      if (Array.isArray(value)) for (const item of value) rest.push(item)
      else if (isJsonObject(value)) {
        found(value)
        for (const item of Object.values(value)) rest.push(item)
      }
    }
  }
  let written = 0
  visit(schema, object => {
    written++
    for (const key of ['$id', '$anchor', '$dynamicAnchor', 'id']) {
      const name = object[key]
      if (typeof name === 'string') anchors.set(key === '$id' || key === 'id' ? name : `#${name}`, object)
    }
  })
  // What is written is there even where nothing refers to it.
  if (written > mostSubschemas) return written

  const sizeOf = (node: unknown): number => {
    if (Array.isArray(node)) return sum(node)
    if (!isJsonObject(node)) return 0
    const known = sizes.get(node)
    if (known !== undefined) return known
    if (open.has(node)) return 1
    open.add(node)
    const { $ref, $dynamicRef, $defs: _, definitions: __, ...own } = node
    const referred = [$ref, $dynamicRef].map(ref => (typeof ref === 'string' ? sizeOf(resolve(schema, ref, anchors)) : 0))
    const size = Math.min(mostSubschemas + 1, 1 + sum(Object.values(own)) + (referred[0] ?? 0) + (referred[1] ?? 0))
    open.delete(node)
    sizes.set(node, size)
    return size
  }
  const sum = (nodes: readonly unknown[]): number => {
    let size = 0
    for (const node of nodes) {
      size += sizeOf(node)
      if (size > mostSubschemas) break
    }
    return size
  }
  return Math.max(written, sizeOf(schema))
}

/** What a reference within the document names; undefined for another document, which the compiler refuses. */
function resolve(root: unknown, ref: string, anchors: ReadonlyMap<string, unknown>): unknown {
  if (anchors.has(ref)) return anchors.get(ref)
  const [before = '', pointer] = ref.split('#', 2)
  const base = before === '' ? root : anchors.get(before)
  if (pointer === undefined || pointer === '') return base
  if (!pointer.startsWith('/')) return undefined
  let node: unknown = base
  for (const part of pointer.slice(1).split('/')) {
    let name: string
    try {
      name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    } catch {
      return undefined
    }
    if (Array.isArray(node)) node = node[Number(name)]
    else if (isJsonObject(node) && Object.hasOwn(node, name)) node = node[name]
    else return undefined
  }
  return node
}
