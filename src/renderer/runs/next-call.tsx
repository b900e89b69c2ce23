import { useState } from 'react'
import type { RunActivity } from '../../contract/index.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { useNow } from '../ui/values/use-now.ts'

/** When the endpoint may be called next, and who says so, counted down between what the service tells. */
export function NextCall({ endpoint }: { readonly endpoint: RunActivity['endpoint'] }) {
  const pause = useCountdown(endpoint.pause_ms)
  const rate = useCountdown(endpoint.rate_wait_ms)
  return <>{nextCall(pause, rate)}</>
}

/** @param pause Milliseconds of the pause that the endpoint asked for. @param rate Milliseconds until its rates let a call start. */
export function nextCall(pause: number, rate: number): string {
  if (pause > 0) return `in ${wholeSeconds(pause)}, as the endpoint asked`
  if (rate > 0) return `in ${wholeSeconds(rate)}, by its rate limits`
  return 'at once'
}

/** Milliseconds that are left of `told`, which begins anew whenever another number is told. */
function useCountdown(told: number): number {
  const now = useNow(1_000)
  const [from, setFrom] = useState({ told, at: now })
  if (from.told !== told) setFrom({ told, at: now })
  return Math.max(0, told - (from.told === told ? now - from.at : 0))
}

function wholeSeconds(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}
