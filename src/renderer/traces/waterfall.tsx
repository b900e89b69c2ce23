import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { formatDuration } from '../../lib/format/time.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { SpanRow } from './order-spans.ts'

interface WaterfallProps {
  readonly rows: readonly SpanRow[]
  readonly openId: string | null
  readonly onOpen: (spanId: string) => void
}

const rowHeight = 28

/** The tree of spans with their place in time. Arrows walk through it. */
export function Waterfall({ rows, openId, onOpen }: WaterfallProps) {
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- only the React Compiler minds, and it is not used
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    initialRect: { width: 600, height: 600 },
    overscan: 20,
  })
  const openIndex = rows.findIndex(({ span }) => span.span_id === openId)
  useEffect(() => {
    if (openIndex >= 0) virtualizer.scrollToIndex(openIndex, { align: 'auto' })
  }, [openIndex, virtualizer])
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -rows.length, End: rows.length }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const target = rows[Math.min(rows.length - 1, Math.max(0, openIndex + step))]
    if (target) onOpen(target.span.span_id)
  }
  return (
    <div
      className="traces-waterfall"
      ref={scroller}
      role="tree"
      aria-label="Spans"
      tabIndex={0}
      aria-activedescendant={openIndex >= 0 ? `span-${openIndex}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return row ? (
            <WaterfallRow
              key={row.span.span_id}
              row={row}
              index={index}
              top={start}
              isOpen={index === openIndex}
              onOpen={onOpen}
              total={rows.length}
            />
          ) : null
        })}
      </div>
    </div>
  )
}

interface WaterfallRowProps {
  readonly row: SpanRow
  readonly index: number
  readonly total: number
  readonly top: number
  readonly isOpen: boolean
  readonly onOpen: (spanId: string) => void
}

function WaterfallRow({ row: { span, depth, begin, length }, index, total, top, isOpen, onOpen }: WaterfallRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are the list's, which holds the focus
    <div
      id={`span-${index}`}
      role="treeitem"
      tabIndex={-1}
      aria-selected={isOpen}
      aria-setsize={total}
      aria-posinset={index + 1}
      aria-level={depth + 1}
      className="traces-row"
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
      onClick={() => onOpen(span.span_id)}
    >
      <span className="traces-row-name" style={{ paddingInlineStart: depth * 14 }}>
        <span className={`traces-kind traces-kind-${span.kind}`}>{span.kind === 'other' ? 'span' : span.kind}</span>
        <UntrustedText text={span.name} layout="inline" />
        {span.status === 'error' ? <span className="traces-error">Error</span> : null}
      </span>
      <span className="traces-bar-track" aria-hidden>
        <span
          className={span.status === 'error' ? 'traces-bar traces-bar-error' : 'traces-bar'}
          style={{ insetInlineStart: `${begin * 100}%`, width: `max(2px, ${length * 100}%)` }}
        />
      </span>
      <span className="num traces-row-time">{formatDuration(span.duration_ms)}</span>
    </div>
  )
}
