import { useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

export interface LongTextProps {
  readonly text: string
  readonly mark?: { readonly start: number; readonly end: number } | null
  readonly markLabel?: string | undefined
}

/** UTF-16 code units shown at first; more of them would make the page slow to lay out. */
const SHOWN = 20_000

/** Untrusted text, of any length: its beginning, or the surroundings of the marked part, and the rest on request. */
export function LongText({ text, mark = null, markLabel }: LongTextProps) {
  const [whole, setWhole] = useState(false)
  if (whole || text.length <= SHOWN) {
    return <UntrustedText text={text} mark={mark} {...(markLabel === undefined ? {} : { markLabel })} />
  }
  const start = mark && mark.end > SHOWN ? Math.max(0, mark.start - SHOWN / 2) : 0
  const part = text.slice(start, start + SHOWN)
  const shifted = mark && mark.start >= start ? { start: mark.start - start, end: Math.min(mark.end - start, part.length) } : null
  return (
    <div className="stack" style={{ gap: 4 }}>
      <UntrustedText text={part} mark={shifted} {...(markLabel === undefined ? {} : { markLabel })} />
      <button type="button" className="samples-more" onClick={() => setWhole(true)}>
        Show all {formatCount(text.length)} characters ({formatCount(SHOWN)} are shown{start > 0 ? `, from ${formatCount(start + 1)}` : ''})
      </button>
    </div>
  )
}
