import './untrusted-text.css'
import type { ReactNode } from 'react'
import { showHidden, textSegments } from '../../../lib/format/visible-text.ts'

interface UntrustedTextProps {
  /** Model output, dataset cell, file name, provider message: anything written outside Assay. */
  readonly text: string
  /**
   * `block` keeps lines and wraps; `inline` stays on one line, for table cells; `ends` does too, and where it is cut keeps its end, which
   * tells ids apart; `prose` wraps in the font around it.
   */
  readonly layout?: 'block' | 'inline' | 'ends' | 'prose'
  /** Part to highlight, in UTF-16 code units, end exclusive. */
  readonly mark?: { readonly start: number; readonly end: number } | null
  readonly markLabel?: string
}

/**
 * Shows untrusted text: always as text, never as HTML or Markdown, isolated from the writing direction around it,
 * with every character that would hide or reorder something replaced by its code point.
 */
export function UntrustedText({ text, layout = 'block', mark, markLabel = 'Extracted answer' }: UntrustedTextProps) {
  if (layout === 'ends') return <WithEnd text={text} />
  const Tag = layout === 'block' ? 'pre' : 'span'
  return (
    <Tag className={`untrusted untrusted-${layout}`} dir="auto">
      {mark && mark.end > mark.start ? (
        <>
          {visible(text.slice(0, mark.start))}
          <mark title={markLabel}>{visible(text.slice(mark.start, mark.end))}</mark>
          {visible(text.slice(mark.end))}
        </>
      ) : (
        visible(text)
      )}
    </Tag>
  )
}

const endLength = 7

function WithEnd({ text }: { readonly text: string }) {
  const end = text.length > 2 * endLength ? text.slice(-endLength) : ''
  return (
    <span className="untrusted untrusted-ends" dir="auto" title={end === '' ? undefined : showHidden(text)}>
      <span>{visible(text.slice(0, text.length - end.length))}</span>
      {end === '' ? null : <span className="untrusted-end">{visible(end)}</span>}
    </span>
  )
}

/** No component: a list shows dozens of texts in every frame of a scroll. */
function visible(text: string): ReactNode {
  return textSegments(text).map((segment, index) =>
    segment.kind === 'text' ? (
      segment.text
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- segments of one text have no identity but their place
      <span key={index} className="untrusted-hidden" title="A character that would not be seen">
        {segment.text}
      </span>
    ),
  )
}
