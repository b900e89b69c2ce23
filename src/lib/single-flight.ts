/** Runs work once for all callers of one key that come while it is under way. */
export function createSingleFlight<Value>() {
  const underWay = new Map<string, Promise<Value>>()
  return (key: string, work: () => Promise<Value>): Promise<Value> => {
    const begun = underWay.get(key) ?? work().finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }
}
