export interface Lazy<Value> {
  (): Value
  /** The value if it was made. */
  made(): Value | undefined
}

/** A value made when it is first asked for, and kept: for what takes long to make and is seldom needed. */
export function lazily<Value>(make: () => Value): Lazy<Value> {
  let kept: { readonly value: Value } | undefined
  return Object.assign(() => (kept ??= { value: make() }).value, { made: () => kept?.value })
}
