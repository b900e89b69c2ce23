import type { Results } from '../../contract/runs/results.schemas.ts'
import { IconInfoCircle } from '../ui/pictures/icons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** What must be known before the numbers are read. */
export function Notices({ notices }: { readonly notices: Results['notices'] }) {
  if (notices.length === 0) return null
  return (
    <ul className="results-notices" aria-label="Notices">
      {notices.map(({ code, message }) => (
        <li key={`${code} ${message}`}>
          <IconInfoCircle size={16} aria-hidden />
          <UntrustedText text={message} layout="prose" />
        </li>
      ))}
    </ul>
  )
}
