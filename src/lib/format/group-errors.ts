import { formatCount } from './numbers.ts'

export interface LineError {
  readonly line: number | null
  readonly message: string
}

/** Rows of a file that are refused for the same reason. */
export interface ErrorGroup<One extends LineError> {
  readonly first: One
  /** `3`, `3, 7–9` or `1–4, 6, 8 and 90 more`; empty where it concerns the file as a whole. */
  readonly lines: string
  readonly count: number
}

const mostRanges = 3

/** States a reason once, with the lines it was found on. @param keyOf what makes two errors the same */
export function groupErrors<One extends LineError>(
  errors: readonly One[],
  keyOf = ({ message }: One): string => message,
): ErrorGroup<One>[] {
  return [...Map.groupBy(errors, keyOf).values()].flatMap(group => {
    const [first] = group
    return first ? [{ first, lines: describeLines(group.flatMap(({ line }) => line ?? [])), count: group.length }] : []
  })
}

function describeLines(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last.to === line - 1) last.to = line
    else ranges.push({ from: line, to: line })
  }
  const named = ranges
    .slice(0, mostRanges)
    .map(({ from, to }) => (from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`))
  const rest = ranges.slice(mostRanges).reduce((sum, { from, to }) => sum + to - from + 1, 0)
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${formatCount(rest)} more`
}
