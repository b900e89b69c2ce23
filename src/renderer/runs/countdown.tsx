import { useState } from 'react'
import { formatDuration } from '../../lib/format/time.ts'
import { useNow } from '../ui/values/use-now.ts'

/** A wait reported by the service, counted down locally until the next report. Milliseconds; 0 means no wait. */
export function Countdown({ told }: { readonly told: number }) {
  const now = useNow(1_000)
  const [from, setFrom] = useState({ told, at: now })
  if (from.told !== told) setFrom({ told, at: now })
  const left = from.told === told ? told - (now - from.at) : told
  return left > 0 ? wholeSeconds(left) : <span className="quiet">none</span>
}

/** Whole seconds, rounded up, so that the last one is seen too. */
function wholeSeconds(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}
