import { ServiceError } from '../../contract/client.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { checkWords } from './compare-words.ts'

interface RefusalProps {
  readonly error: Error
  /** Name of a run by its place in the request. */
  readonly runName: (index: number) => string | null
}

const prefix = 'not_comparable.'

/** Why runs cannot be compared, difference by difference; any other failure as such. */
export function Refusal({ error, runName }: RefusalProps) {
  const differences = error instanceof ServiceError ? error.detail.filter(({ type }) => type.startsWith(prefix)) : []
  if (differences.length === 0) return <ErrorState error={error} title="Nothing was compared" />
  return (
    <div className="compare-refusal" role="alert">
      <h2>These runs cannot be compared</h2>
      <ul>
        {differences.map(({ loc, msg, type }) => (
          <li key={`${loc.join('.')} ${type} ${msg}`}>
            <strong>{wordOf(type)}</strong>
            <NameOf name={runName(Number(loc.at(-1)))} />
            <div>
              <UntrustedText text={msg} layout="prose" />
            </div>
          </li>
        ))}
      </ul>
      <p className="compare-note">These differences would look like a difference between the models, so none was computed.</p>
    </div>
  )
}

function NameOf({ name }: { readonly name: string | null }) {
  if (name === null) return null
  return (
    <span className="quiet">
      {' of '}
      <UntrustedText text={name} layout="prose" />
    </span>
  )
}

function wordOf(type: string): string {
  const check = Object.entries(checkWords).find(([id]) => type === prefix + id)
  return check?.[1] ?? 'Difference'
}
