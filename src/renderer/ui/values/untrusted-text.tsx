import './untrusted-text.css'
import type { ReactNode } from 'react'
import { showHidden, textSegments } from '../../../lib/format/visible-text.ts'

interface UntrustedTextProps {
  /** Model output, dataset cell, file name, provider message: anything written outside Assay. */
  readonly text: string
  /**
   * `block` keeps lines and wraps; `inline` stays on one line, for table cells, with a sign for each line end; `ends` does too, and where it is cut keeps its end, which
   * tells ids apart; `name` is `ends` in the font around it, for names that begin alike; `prose` wraps in the font around it.
   */
  readonly layout?: 'block' | 'inline' | 'ends' | 'name' | 'prose'
  /** Part to highlight, in UTF-16 code units, end exclusive. */
  readonly mark?: { readonly start: number; readonly end: number } | null
  readonly markLabel?: string
  /** Of `ends` and `name`: what the pointer shows where `text` does not say it all. */
  readonly whole?: string
  /** A block that its page bounds in height: it can be scrolled with the keyboard. */
  readonly scrolls?: boolean
}

/**
 * Shows untrusted text: always as text, never as HTML or Markdown, isolated from the writing direction around it,
 * with every character that would hide or reorder something replaced by its code point.
 */
export function UntrustedText({
  text,
  layout = 'block',
  mark,
  markLabel = 'Extracted answer',
  whole,
  scrolls = false,
}: UntrustedTextProps) {
  if (layout === 'ends' || layout === 'name') return <WithEnd text={text} layout={layout} whole={whole} />
  const Tag = layout === 'block' ? 'pre' : 'span'
  const shown = layout === 'inline' ? visibleLine : visible
  return (
    <Tag className={`untrusted untrusted-${layout}`} dir="auto" {...(scrolls && { tabIndex: 0 })}>
      {mark && mark.end > mark.start ? (
        <>
          {shown(text.slice(0, mark.start))}
          <mark title={markLabel}>{shown(text.slice(mark.start, mark.end))}</mark>
          {shown(text.slice(mark.end))}
        </>
      ) : (
        shown(text)
      )}
    </Tag>
  )
}

const endLength = 7

interface WithEndProps {
  readonly text: string
  readonly layout: 'ends' | 'name'
  readonly whole: string | undefined
}

function WithEnd({ text, layout, whole }: WithEndProps) {
  const end = text.length > 2 * endLength ? endOf(text) : ''
  return (
    <span
      className={`untrusted untrusted-ends${layout === 'name' ? ' untrusted-name' : ''}`}
      dir="auto"
      title={end === '' && whole === undefined ? undefined : showHidden(whole ?? text)}
    >
      <span>{visibleLine(text.slice(0, text.length - end.length))}</span>
      {end === '' ? null : <span className="untrusted-end">{visibleLine(end)}</span>}
    </span>
  )
}

/** From a space on where there is one: what reads the parts one after the other then reads whole words. */
function endOf(text: string): string {
  const space = /\s\S.{0,9}$/u.exec(text)?.[0]
  return space ?? text.slice(-endLength)
}

/** On one line, so that a row keeps its height and still tells where lines ended. */
function visibleLine(text: string): ReactNode {
  return visible(text.replaceAll(/\r?\n/g, ' ⏎ '))
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
