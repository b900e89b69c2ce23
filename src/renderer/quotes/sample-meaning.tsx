import { wilsonBand } from '../../charts/wilson-band.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { plannedDetectableDifference } from '../../lib/detectable-difference.ts'

interface SampleMeaningProps {
  readonly counts: readonly number[]
  /** Epochs that count as evidence. */
  readonly epochs: number
}

/** Statistical power of these sample sizes, shown before the run. */
export function SampleMeaning({ counts, epochs }: SampleMeaningProps) {
  const sizes = [...new Set(counts.filter(count => count > 0))].toSorted((a, b) => a - b)
  return (
    <aside className="quotes-meaning" aria-live="polite" aria-label="What this sample can tell">
      {sizes.length === 0 ? <p>Choose profiles to see which differences a run can detect.</p> : null}
      {sizes.slice(0, 4).map(size => (
        <div key={size}>
          <div className="quotes-meaning-size num">n = {formatCount(size)}</div>
          <p>{describeSize(size, epochs)}</p>
        </div>
      ))}
      {sizes.length > 4 ? <p>and {formatCount(sizes.length - 4)} larger profiles.</p> : null}
    </aside>
  )
}

function describeSize(tasks: number, epochs: number): string {
  const difference = plannedDetectableDifference(tasks, epochs)
  const band = wilsonBand(0.5, tasks)
  const around = band ? ` A score of 50 % would read 50.0 % ± ${formatNumber((band.high - 0.5) * 100, 1)}.` : ''
  if (difference === null) return `Too few tasks: any difference between two models would be missed more than one time in five.${around}`
  return `A difference under ${formatNumber(difference * 100, 1)} points between two models that err independently would be missed more than one time in five.${around}`
}
