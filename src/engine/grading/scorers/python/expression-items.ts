import { addWork, NotEvaluated } from './expression-limits.ts'
import { NONE, pyEquals, type PyValue } from './values.ts'

/** What a loop over the value gives: items, characters, or keys. @throws NotEvaluated for what cannot be looped over */
export function itemsOf(value: PyValue): readonly PyValue[] {
  addWork('items' in value ? value.items.length : value.type === 'str' ? value.value.length : 1)
  if ('items' in value) return value.items
  if (value.type === 'str') return [...value.value].map(char => ({ type: 'str', value: char }))
  if (value.type === 'dict') return value.entries.map(([key]) => key)
  throw new NotEvaluated()
}

/** `value[key]`. @throws NotEvaluated for an index or key that is not there */
export function itemAt(value: PyValue, key: PyValue): PyValue {
  const found =
    value.type === 'dict'
      ? value.entries.find(([each]) => pyEquals(each, key))?.[1]
      : value.type === 'set' || (key.type !== 'int' && key.type !== 'bool')
        ? undefined
        : itemsOf(value).at(Number(key.value))
  if (!found) throw new NotEvaluated()
  return found
}

/** `value[from:to:step]`, each `None` where it is left out. */
export function sliceOf(value: PyValue, from: PyValue, to: PyValue, step: PyValue): PyValue {
  if (value.type !== 'list' && value.type !== 'tuple' && value.type !== 'str') throw new NotEvaluated()
  const items = itemsOf(value)
  const by = boundOf(step) ?? 1
  if (by === 0) throw new NotEvaluated()
  const clamp = (bound: number | null, otherwise: number) => {
    if (bound === null) return otherwise
    const at = bound < 0 ? bound + items.length : bound
    return by > 0 ? Math.min(Math.max(at, 0), items.length) : Math.min(Math.max(at, -1), items.length - 1)
  }
  const start = clamp(boundOf(from), by > 0 ? 0 : items.length - 1)
  const end = clamp(boundOf(to), by > 0 ? items.length : -1)
  const taken: PyValue[] = []
  for (let at = start; by > 0 ? at < end : at > end; at += by) taken.push(items[at] ?? NONE)
  if (value.type !== 'str') return { type: value.type, items: taken }
  return { type: 'str', value: taken.map(item => (item.type === 'str' ? item.value : '')).join('') }
}

function boundOf(value: PyValue): number | null {
  if (value.type === 'none') return null
  if (value.type !== 'int') throw new NotEvaluated()
  return Number(value.value)
}
