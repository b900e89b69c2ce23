import './diffed-text.css'
import { showHidden } from '../../lib/format/visible-text.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { DiffPart } from './word-diff.ts'

interface DiffedTextProps {
  readonly text: string | null
  /** Null where there is nothing to compare it with. */
  readonly parts: readonly DiffPart[] | null
  readonly side: 'left' | 'right'
}

/** Text that a model wrote, as text, with what the other side does not have marked by more than color. */
export function DiffedText({ text, parts, side }: DiffedTextProps) {
  if (text === null) return <p className="quiet samples-note">There is no answer.</p>
  if (text === '') return <p className="quiet samples-note">The answer is empty.</p>
  if (parts === null) return <UntrustedText text={text} />
  const Mark = side === 'left' ? 'del' : 'ins'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll must be reachable by keyboard
    <pre className="untrusted untrusted-block compare-diff" dir="auto" tabIndex={0}>
      {parts.map((part, index) =>
        part.changed ? (
          // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no identity but their place
          <Mark key={index}>{showHidden(part.text)}</Mark>
        ) : (
          showHidden(part.text)
        ),
      )}
    </pre>
  )
}
