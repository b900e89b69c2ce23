import './status-badge.css'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader, IconUser } from '../pictures/icons.tsx'
import type { Status, Tone } from './statuses.ts'

const icons: Readonly<Record<Tone, Icon>> = {
  pass: IconCircleCheck,
  fail: IconCircleX,
  warn: IconAlertTriangle,
  running: IconLoader,
  human: IconUser,
  neutral: IconCircleDashed,
}

interface StatusBadgeProps {
  readonly status: Status
  readonly title?: string | undefined
  /** The word is only read out, and shown on hover: for cells whose column says what the signs mean. */
  readonly bare?: boolean
}

/** A state as word, icon and color, so that none of the three has to be seen. Take `status` from `statuses.ts`. */
export function StatusBadge({ status, title, bare = false }: StatusBadgeProps) {
  const Shape = icons[status.tone]
  return (
    <span className={`status status-${status.tone}`} title={title ?? (bare ? status.word : undefined)}>
      <Shape size={14} aria-hidden />
      {bare ? <span className="visually-hidden">{status.word}</span> : status.word}
    </span>
  )
}
