import { IconCheck } from '../ui/pictures/icons.tsx'

/** The mark of a chosen task: a sign and a word, not a color alone. */
export function Picked() {
  return (
    <span className="row" style={{ gap: 4, flexWrap: 'nowrap', color: 'var(--accent)' }}>
      <IconCheck size={14} aria-hidden />
      chosen
    </span>
  )
}
