import { IconPinFilled } from '../ui/pictures/icons.tsx'

/** Marks a run that is offered first where runs are compared. */
export function PinnedMark({ isShort = false }: { readonly isShort?: boolean }) {
  return (
    <span className="runs-pinned" title="Pinned baseline">
      <IconPinFilled size={14} aria-hidden />
      <span className={isShort ? 'visually-hidden' : undefined}>Baseline</span>
    </span>
  )
}
