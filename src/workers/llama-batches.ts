/** Tokens of one sequence that wait to be evaluated. */
export interface BatchItem {
  readonly tokens: readonly unknown[]
  /** True at the tokens whose following distribution is read; it has holes. */
  readonly logits: readonly (true | undefined)[]
}

interface BatchPart<Item> {
  readonly item: Item
  /** Tokens. */
  readonly processAmount: number
}

/**
 * Chooses what is evaluated together, in the order in which it came. Distributions are read in threads, one for each sequence, and the first
 * of them sorts what llama.cpp has put out of order, for which it takes no lock: 2 % of likelihoods of 4 requests at once were another
 * sequence's. Nothing is out of order where no two sequences are read of which one has several tokens, so those are evaluated apart.
 */
export function chooseBatch<Item extends BatchItem>({
  items,
  size,
}: {
  readonly items: readonly Item[]
  readonly size: number
}): BatchPart<Item>[] {
  const chosen: BatchPart<Item>[] = []
  let left = size
  let reads: 'nothing' | 'single_tokens' | 'one_sequence' = 'nothing'
  for (const item of items) {
    const { length } = item.tokens
    const isRead = item.logits.includes(true)
    const next = length > 1 ? 'one_sequence' : 'single_tokens'
    if (left === 0 || (isRead && (reads === 'one_sequence' || (reads === 'single_tokens' && next === 'one_sequence')))) continue
    if (isRead) reads = next
    const processAmount = Math.min(length, left)
    left -= processAmount
    chosen.push({ item, processAmount })
  }
  return chosen
}
