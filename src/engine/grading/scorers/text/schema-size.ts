import { isObject } from '../../../../lib/json-value.ts'

/** Subschemas that a schema may come to with its references followed: validation can take a step for each, at every value. */
export const mostSubschemas = 2_000

/**
 * Subschemas that a schema consists of where each reference stands for what it names, as a validator meets them on one value. A
 * reference within what it names counts once: it leads on only with a deeper value. Stops counting beyond the most.
 */
export function expandedSize(schema: unknown): number {
  const sizes = new Map<unknown, number>()
  const open = new Set<unknown>()
  const { objects, anchors } = objectsOf(schema)
  const written = objects.length
  // What is written is there even where nothing refers to it.
  if (written > mostSubschemas) return written

  const sizeOf = (node: unknown): number => {
    if (Array.isArray(node)) return sum(node)
    if (!isObject(node)) return 0
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

/**
 * Whether a reference leads back to where it is without going into a member or an item of the value, so that a validator would follow it
 * without end whatever the value is. @param schema of at most the most subschemas
 */
export function refersToItself(schema: unknown): boolean {
  const { objects, anchors } = objectsOf(schema)
  const [ended, open] = [new Set<unknown>(), new Set<unknown>()]
  const returns = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(returns)
    if (!isObject(node) || ended.has(node)) return false
    if (open.has(node)) return true
    open.add(node)
    const references = [node['$ref'], node['$dynamicRef']].map(ref => (typeof ref === 'string' ? resolve(schema, ref, anchors) : null))
    const dependent = [node['dependentSchemas'], node['dependencies']].flatMap(each => (isObject(each) ? Object.values(each) : []))
    const found = [...references, ...dependent, ...sameValue.map(keyword => node[keyword])].some(returns)
    open.delete(node)
    ended.add(node)
    return found
  }
  return objects.some(returns)
}

/** Keywords whose schemas judge the value itself. */
const sameValue = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const

/** Every object of a schema, and those that have a name. */
function objectsOf(schema: unknown) {
  const objects: Readonly<Record<string, unknown>>[] = []
  const anchors = new Map<string, unknown>()
  const rest: unknown[] = [schema]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (Array.isArray(value)) for (const item of value) rest.push(item)
    else if (isObject(value)) {
      objects.push(value)
      for (const key of ['$id', '$anchor', '$dynamicAnchor', 'id']) {
        const name = value[key]
        if (typeof name === 'string') anchors.set(key === '$id' || key === 'id' ? name : `#${name}`, value)
      }
      for (const item of Object.values(value)) rest.push(item)
    }
  }
  return { objects, anchors }
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
    else if (isObject(node) && Object.hasOwn(node, name)) node = node[name]
    else return undefined
  }
  return node
}
