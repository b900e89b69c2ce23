/** How often each run of `n` items occurs. */
export function countNgrams(items: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; i + n <= items.length; i++) {
    let gram = items[i] ?? ''
    for (let j = i + 1; j < i + n; j++) gram += `\u0000${items[j]}`
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

/** How many n-grams two texts share, each counted as often as in the text with fewer occurrences. */
export function sharedNgrams(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  for (const [gram, count] of a) shared += Math.min(count, b.get(gram) ?? 0)
  return shared
}

export function totalNgrams(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
