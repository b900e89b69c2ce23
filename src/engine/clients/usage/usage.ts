/** Tokens of one call, or of several together, as their provider counted them. */
export interface Usage {
  /** The whole prompt, cached parts included. */
  readonly inputTokens: number
  /** Everything that was generated, reasoning included. */
  readonly outputTokens: number
  /** Parts of the two sums with prices of their own; absent where the provider states none. */
  readonly parts?: UsageParts
}

export interface UsageParts {
  /** Of the input: read from the provider's cache. */
  readonly cachedInput?: number
  /** Of the input: written to the provider's cache. */
  readonly cacheWrite?: number
  readonly imageInput?: number
  readonly audioInput?: number
  /** Of the output. */
  readonly reasoning?: number
  /** Of the output. */
  readonly audioOutput?: number
}

const partNames = ['cachedInput', 'cacheWrite', 'imageInput', 'audioInput', 'reasoning', 'audioOutput'] as const

/** What is known of one call's tokens and price. */
export interface Counted {
  readonly usage?: Usage | null
  readonly statedPicoUsd?: number
}

/** Of several calls together. What is unknown of one is unknown of all: a sum of the others would be too low. */
export function sumCounts(calls: readonly Counted[]): Pick<Counted, 'statedPicoUsd'> & { readonly usage: Usage | null } {
  const usages = calls.flatMap(({ usage }) => usage ?? [])
  const costs = calls.flatMap(({ statedPicoUsd }) => statedPicoUsd ?? [])
  const [first, ...rest] = usages
  return {
    usage: first && usages.length === calls.length ? rest.reduce(plus, first) : null,
    ...(costs.length > 0 && costs.length === calls.length ? { statedPicoUsd: costs.reduce((sum, cost) => sum + cost) } : {}),
  }
}

function plus(a: Usage, b: Usage): Usage {
  const parts = partsOf(name => {
    const [one, other] = [a.parts?.[name], b.parts?.[name]]
    return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0)
  })
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens, ...parts }
}

/** As a property to spread: absent where no part is stated. */
export function partsOf(tokensOf: (name: keyof UsageParts) => number | undefined): Pick<Usage, 'parts'> {
  const stated = partNames.flatMap(name => {
    const tokens = tokensOf(name)
    return tokens === undefined ? [] : [[name, tokens] as const]
  })
  return stated.length === 0 ? {} : { parts: Object.fromEntries(stated) }
}
