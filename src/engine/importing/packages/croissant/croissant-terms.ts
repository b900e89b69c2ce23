import { PackageFault } from '../package-fault.ts'

export const croissantPath = 'croissant.json'

/** Prefixes of terms. Contexts are not read: terms mean what the specification's own context says. */
const prefix = /^(?:cr:|sc:|dct:|https?:\/\/mlcommons\.org\/croissant\/|https?:\/\/schema\.org\/|https?:\/\/purl\.org\/dc\/terms\/)/

/** A term without its prefix: `cr:RecordSet` is `RecordSet`. */
export function term(name: string): string {
  return name.replace(prefix, '')
}

export type Node = Readonly<Record<string, unknown>>

/** A JSON-LD object with its keys as plain terms; null for anything else. */
export function asNode(value: unknown): Node | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [term(name), one]))
}

/** One value or a list, as JSON-LD has it. */
export function many(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
}

/** The objects among one value or a list. */
export function nodes(value: unknown): Node[] {
  return many(value)
    .map(asNode)
    .filter(node => node !== null)
}

/** What a reference `{"@id": …}` points to, or a text names; null for anything else. */
export function reference(value: unknown): string | null {
  if (typeof value === 'string') return value
  const node = asNode(value)
  if (!node) return null
  const id = node['@id'] ?? (node['field'] === undefined ? undefined : reference(node['field']))
  return typeof id === 'string' ? id : null
}

export function hasTerm(value: unknown, wanted: string): boolean {
  return many(value).some(one => term(reference(one) ?? '') === wanted)
}

/** For messages: the id of a part, or what it is. */
export function named(node: Node, what: string): string {
  const id = node['@id'] ?? node['name']
  return typeof id === 'string' ? `"${id.slice(0, 80)}"` : what
}

export function refused(message: string): PackageFault {
  return new PackageFault('manifest', `"${croissantPath}": ${message}`)
}
