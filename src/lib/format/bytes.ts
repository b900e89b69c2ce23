import { formatNumber, noNumber } from './numbers.ts'

const units = ['kB', 'MB', 'GB', 'TB'] as const

/** A size in decimal units, as file managers and networks state it: `512 B`, `1.2 kB`, `25 MB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return noNumber
  if (bytes < 999.5) return `${formatNumber(bytes)} B`
  let scaled = bytes
  let unit: string = 'B'
  for (const larger of units) {
    if (scaled < 999.5) break
    scaled /= 1000
    unit = larger
  }
  return `${formatNumber(scaled, scaled < 9.95 ? 1 : 0)} ${unit}`
}
