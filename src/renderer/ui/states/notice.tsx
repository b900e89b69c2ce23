import './states.css'
import type { ReactNode } from 'react'
import { StatusBadge } from '../values/status-badge.tsx'
import type { Tone } from '../values/statuses.ts'

interface NoticeProps {
  readonly tone: Tone
  /** The matter in one line. */
  readonly title: string
  readonly children: ReactNode
}

/** Something to know before going on, where it matters. Announced when it appears. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <output className={`notice notice-${tone}`}>
      <StatusBadge status={{ word: title, tone }} />
      <span>{children}</span>
    </output>
  )
}
