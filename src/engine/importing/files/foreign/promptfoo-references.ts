import { isObject } from '../../../../lib/json-value.ts'

const mostReferences = 10_000

/** Values that a configuration refers to within itself (`$ref: '#/…'`), whose own keys win over those of the target. */
export function dereferenced(root: unknown): unknown {
  let left = mostReferences
  const at = (path: string): unknown =>
    path
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), root)
  const read = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map(item => read(item, within))
    if (!isObject(value)) return value
    const { $ref: path, ...own } = value
    const target = typeof path === 'string' && path.startsWith('#/') && !within.includes(path) && left-- > 0 ? at(path) : undefined
    if (typeof path !== 'string' || !isObject(target))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, within)]))
    return read({ ...target, ...own }, [...within, path])
  }
  return read(root, [])
}
