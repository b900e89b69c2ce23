import './status-badge.css'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader, IconUser } from '@tabler/icons-react'
import type { Status, Tone } from './statuses.ts'

const icons: Readonly<Record<Tone, Icon>> = {
  pass: IconCircleCheck,
  fail: IconCircleX,
  warn: IconAlertTriangle,
  running: IconLoader,
  human: IconUser,
  neutral: IconCircleDashed,
}

/** A state as word, icon and color, so that none of the three has to be seen. Take `status` from `statuses.ts`. */
export function StatusBadge({ status, title }: { readonly status: Status; readonly title?: string | undefined }) {
  const Shape = icons[status.tone]
  return (
    <span className={`status status-${status.tone}`} title={title}>
      <Shape size={14} aria-hidden />
      {status.word}
    </span>
  )
}
