import type { Estimate } from '../../../contract/runs/results.schemas.ts'

const width = 40

/** An estimate on a scale from 0 to 100 %, as text: `·····├──●──┤·····`. Empty without a mean. */
export function intervalPlot({ mean, interval }: Pick<Estimate, 'mean' | 'interval'>): string {
  if (mean === null) return ''
  const place = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * (width - 1))
  const [low, high] = interval === null ? [place(mean), place(mean)] : [place(interval.low), place(interval.high)]
  return Array.from({ length: width }, (_, at) => {
    if (at === place(mean)) return '●'
    if (at === low) return '├'
    if (at === high) return '┤'
    return at > low && at < high ? '─' : '·'
  }).join('')
}
