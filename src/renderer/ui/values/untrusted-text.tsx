import './untrusted-text.css'
import { textSegments } from '../../../lib/format/visible-text.ts'

interface UntrustedTextProps {
  /** Model output, dataset cell, file name, provider message: anything written outside Assay. */
  readonly text: string
  /** `block` keeps lines and wraps; `inline` stays on one line, for table cells; `prose` wraps in the font around it. */
  readonly layout?: 'block' | 'inline' | 'prose'
  /** Part to highlight, in UTF-16 code units, end exclusive. */
  readonly mark?: { readonly start: number; readonly end: number } | null
  readonly markLabel?: string
}

/**
 * Shows untrusted text: always as text, never as HTML or Markdown, isolated from the writing direction around it,
 * with every character that would hide or reorder something replaced by its code point.
 */
export function UntrustedText({ text, layout = 'block', mark, markLabel = 'Extracted answer' }: UntrustedTextProps) {
  const Tag = layout === 'block' ? 'pre' : 'span'
  return (
    <Tag className={`untrusted untrusted-${layout}`} dir="auto">
      {mark && mark.end > mark.start ? (
        <>
          <Visible text={text.slice(0, mark.start)} />
          <mark title={markLabel}>
            <Visible text={text.slice(mark.start, mark.end)} />
          </mark>
          <Visible text={text.slice(mark.end)} />
        </>
      ) : (
        <Visible text={text} />
      )}
    </Tag>
  )
}

function Visible({ text }: { readonly text: string }) {
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
