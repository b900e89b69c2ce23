const most = BigInt(Number.MAX_SAFE_INTEGER)

/** A limit in micro-USD as the database keeps it: one beyond nine billion dollars as that, since a number would round it up. */
export function storedLimit(microUsd: bigint | string): number {
  const amount = BigInt(microUsd)
  return Number(amount > most ? most : amount)
}
