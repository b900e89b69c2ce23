import './annotations.css'
import type { AnnotationSummary as Summary } from '../../contract/annotations/annotations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { IconBookmarkFilled, IconNote } from '../ui/pictures/icons.tsx'

/** Whether there is anything to show of a run or a sample. */
export function hasAnnotations({ bookmarked, tags, notes }: Summary): boolean {
  return bookmarked || tags.length > 0 || notes > 0
}

interface AnnotationSummaryProps {
  readonly annotations: Summary
  /** Tags that a cell has room for, below one another; the others are counted. */
  readonly most?: number
}

/** Bookmark, tags and number of notes in a cell of a list. */
export function AnnotationSummary({ annotations, most = Number.POSITIVE_INFINITY }: AnnotationSummaryProps) {
  const { bookmarked, tags, notes } = annotations
  if (!hasAnnotations(annotations)) return null
  return (
    <span className="annotations-summary" data-wraps={Number.isFinite(most)} title={tags.join(', ')}>
      {bookmarked ? (
        <span>
          <IconBookmarkFilled size={14} aria-hidden />
          <span className="visually-hidden">Bookmarked</span>
        </span>
      ) : null}
      {notes === 0 ? null : (
        <span className="num">
          <IconNote size={14} aria-hidden /> {formatCount(notes)}
          <span className="visually-hidden"> {notes === 1 ? 'note' : 'notes'}</span>
        </span>
      )}
      {tags.slice(0, most).map(tag => (
        <span key={tag} className="annotations-tag">
          {tag}
        </span>
      ))}
      {tags.length > most ? <span className="num">+{formatCount(tags.length - most)}</span> : null}
    </span>
  )
}
