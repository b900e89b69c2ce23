import type { Package } from '../../contract/creator/packages.schemas.ts'

/** `13 pass, 1 warn, 1 fail`, with only what is there. */
export function CheckCounts({ checks }: Pick<Package, 'checks'>) {
  const parts = (['fail', 'warn', 'pass'] as const).filter(outcome => checks[outcome] > 0)
  if (parts.length === 0) return <span className="quiet">–</span>
  return (
    <span className="num">
      {parts.map((outcome, i) => (
        <span key={outcome} className={`check-count-${outcome}`}>
          {i > 0 ? ', ' : ''}
          {checks[outcome]} {outcome}
        </span>
      ))}
    </span>
  )
}
