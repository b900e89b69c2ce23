/** The run behind the value of a side; null for a model. */
export function runOfSide(value: string | null): string | null {
  return value?.startsWith('run:') ? value.slice('run:'.length) : null
}
