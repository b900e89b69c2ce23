import './workspace.css'
import { Button, Checkbox } from '@mantine/core'
import { type Scope, scopes } from '../../contract/scopes.ts'
import { checkField } from '../ui/forms/fields.ts'

interface ScopesFieldProps {
  readonly value: readonly Scope[]
  readonly error: string | undefined
  readonly onChange: (scopes: readonly Scope[]) => void
}

const areas = Map.groupBy(scopes, scope => scope.split(':')[0] ?? scope)

/** What running evaluations takes, from looking at the catalog to comparing what came out. */
const toEvaluate = new Set(['catalog', 'comparisons', 'connections', 'evaluations', 'media', 'quotes', 'recommendations', 'runs', 'suites'])

const presets: readonly { readonly label: string; readonly holds: (scope: Scope) => boolean }[] = [
  { label: 'Everything', holds: () => true },
  { label: 'Read only', holds: scope => scope.endsWith(':read') },
  { label: 'Evaluate', holds: scope => toEvaluate.has(scope.split(':')[0] ?? '') && scope !== 'connections:write' },
  { label: 'Nothing', holds: () => false },
]

/** One line per area with its two boxes, since writing and reading are granted apart. */
export function ScopesField({ value, error, onChange }: ScopesFieldProps) {
  const toggle = (scope: Scope, granted: boolean): void => onChange(scopes.filter(one => (one === scope ? granted : value.includes(one))))
  return (
    <>
      <div className="row">
        {presets.map(({ label, holds }) => (
          <Button key={label} size="compact-sm" variant="default" onClick={() => onChange(scopes.filter(holds))}>
            {label}
          </Button>
        ))}
      </div>
      <div className="workspace-scopes">
        {[...areas].map(([area, members]) => (
          <div key={area}>
            <span>{area}</span>
            {members.map(scope => (
              <Checkbox
                key={scope}
                label={scope.split(':')[1]}
                aria-label={scope}
                {...checkField(value.includes(scope), isChecked => toggle(scope, isChecked))}
              />
            ))}
          </div>
        ))}
      </div>
      {error ? (
        <p role="alert" className="small" style={{ margin: 0, color: 'var(--fail)' }}>
          {error}
        </p>
      ) : null}
    </>
  )
}
