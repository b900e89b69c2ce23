/** The fields that have a value. */
export function definedOf<T extends object>(body: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Without the undefined ones, what is left is of the type that excludes them.
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
