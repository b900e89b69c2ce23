import { formatNumber } from './numbers.ts'

/** `word_perplexity 12.35 [11.20, 13.61]`. */
export function formatOriginal(of: {
  readonly name: string
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}): string {
  const shown = (value: number) => formatNumber(value, value < 10 ? 4 : 2)
  return `${of.name} ${shown(of.value)}${of.low === null || of.high === null ? '' : ` [${shown(of.low)}, ${shown(of.high)}]`}`
}
