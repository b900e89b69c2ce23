import { formatCount } from './numbers.ts'

/** `a, b and 3 more`: the first of some names, and how many are not named. */
export function nameFew(names: readonly string[], most: number): string {
  const named = names.slice(0, most).join(', ')
  return names.length > most ? `${named} and ${formatCount(names.length - most)} more` : named
}

/** `a`, `a and b`, `a, b and c`. */
export function nameAll(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(part => part !== '').join(' and ')
}
