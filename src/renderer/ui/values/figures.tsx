import { methodName } from '../../../lib/format/interval-methods.ts'
import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Estimate as EstimateValue } from '../../../contract/runs/results.schemas.ts'
import { formatMicroUsd, formatUsd, priceUnknown, priceUnknownWithin } from '../../../lib/format/money.ts'
import { formatEstimate, formatInterval, formatLevel, formatScore } from '../../../lib/format/percent.ts'
import { formatLocalDistance, formatLocalTime } from './local-time.ts'
import { useNow } from './use-now.ts'

function Figure({ exact, children }: { readonly exact: string; readonly children: ReactNode }) {
  return (
    <Tooltip label={exact}>
      <span className="num">{children}</span>
    </Tooltip>
  )
}

interface EstimateProps {
  readonly estimate: EstimateValue
  /** Leaves n out, for a table that has a column for it. */
  readonly bare?: boolean
  /** Whether to show both ends of the interval; where it is not said, the interval decides. */
  readonly withEnds?: boolean
}

/** `56.3 % ± 2.7 (n = 1,319)`. */
export function Estimate({ estimate, bare = false, withEnds }: EstimateProps) {
  return <Figure exact={explain(estimate)}>{bare ? formatScore(estimate, withEnds) : formatEstimate(estimate, withEnds)}</Figure>
}

function explain({ interval, reason, cautions }: EstimateValue): string {
  const bounds = interval
    ? `${formatLevel(interval.level)} interval ${formatInterval(interval)}, method: ${methodName(interval.method)}`
    : reason
  return [bounds, ...cautions].filter(Boolean).join('. ')
}

interface MoneyProps {
  readonly microUsd: string | null
  readonly decimals?: number
  /** Whether it is part of a sentence. */
  readonly within?: boolean
}

/** Dollars, with the micro-dollars on hover. Null reads as “Price unknown”. */
export function Money({ microUsd, decimals, within = false }: MoneyProps) {
  if (microUsd === null) return <span className="quiet">{within ? priceUnknownWithin : priceUnknown}</span>
  return <Figure exact={formatMicroUsd(microUsd)}>{formatUsd(microUsd, decimals)}</Figure>
}

/** `5 minutes ago`, with the exact time on hover. */
export function RelativeTime({ at }: { readonly at: string | null }) {
  const now = useNow(30_000)
  if (at === null) return <span className="quiet">–</span>
  return (
    <Tooltip label={formatLocalTime(at)}>
      <time dateTime={at} className="num">
        {formatLocalDistance(at, now)}
      </time>
    </Tooltip>
  )
}
