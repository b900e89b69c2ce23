import { useSyncExternalStore } from 'react'
import { announcements } from '../api/announcements.ts'

/** The one polite live region: says what happened to people who do not see it. */
export function Announcer() {
  const { number, text } = useSyncExternalStore(announcements.subscribe, announcements.read)
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label="Announcements">
      <span key={number}>{text}</span>
    </div>
  )
}
