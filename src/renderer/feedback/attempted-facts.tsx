import { KeyValues } from '../ui/page/key-values.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { Attempted } from './report-form.ts'

/** The request that a report is about. All of it is untrusted user input. */
export function AttemptedFacts({ attempted: { method, path, requestId, status, code } }: { readonly attempted: Attempted }) {
  const route = [method, path].filter(part => part !== null).join(' ')
  return (
    <KeyValues
      items={{
        Route: route === '' ? null : <UntrustedText text={route} layout="inline" />,
        Answer: status,
        Code: code === null ? null : <UntrustedText text={code} layout="inline" />,
        'Request id': requestId === null ? null : <Identifier value={requestId} what="request id" shown={36} />,
      }}
    />
  )
}
