import './states.css'
import { Button, CopyButton } from '@mantine/core'
import { Link } from 'react-router'
import { ServiceError } from '../../../contract/client.ts'
import { UntrustedText } from '../values/untrusted-text.tsx'
import { reportAddress } from './report-address.ts'

interface ErrorStateProps {
  readonly error: Error
  /** What did not work: "Couldn’t load the catalog". */
  readonly title?: string
  readonly onRetry?: (() => void) | undefined
  /** False where leaving the page would lose what was typed, or before sign-in, when reports cannot be sent. */
  readonly reportable?: boolean
}

/** What happened, what to do, and the request id to report it with. */
export function ErrorState({ error, title = 'This did not work', onRetry, reportable = true }: ErrorStateProps) {
  const missing = missingFrom(error)
  return (
    <div className="state state-error" role="alert">
      <h2>{missing === 'address' ? 'Page not found' : title}</h2>
      <p>
        <UntrustedText
          text={missing === 'address' ? 'An id in this address is malformed. Check the address.' : error.message}
          layout="prose"
        />
      </p>
      {error instanceof ServiceError ? (
        <p className="quiet small">
          {error.status ? `${error.status} ${error.code}` : error.code}
          {error.requestId ? (
            <>
              {' · request '}
              <span className="mono">{error.requestId}</span>
            </>
          ) : null}
        </p>
      ) : null}
      <div className="row">
        {onRetry && missing === null ? (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {reportable ? (
          <Button component={Link} to={reportAddress(error, title)} variant="subtle">
            Report this
          </Button>
        ) : null}
        <CopyButton value={describeError(error)} timeout={1500}>
          {({ copied, copy }) => (
            <Button variant="subtle" onClick={copy}>
              {copied ? 'Copied' : 'Copy details'}
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  )
}

/** What another attempt would not find either: a record that is gone, or one that an address cannot name. */
function missingFrom(error: Error): 'record' | 'address' | null {
  if (!(error instanceof ServiceError)) return null
  if (error.status === 404) return 'record'
  const { detail } = error
  return error.status === 422 && detail.length > 0 && detail.every(({ loc }) => loc[0] === 'path') ? 'address' : null
}

/** All that a report needs, as text: message, code, request id, refused fields, page and time. No secrets are in any of these. */
function describeError(error: Error): string {
  const lines = [error.message]
  if (error instanceof ServiceError) {
    lines.push(`status ${error.status}, code ${error.code}`, `request id ${error.requestId ?? 'none'}`)
    for (const { loc, msg, type } of error.detail) lines.push(`${loc.join('.')}: ${msg} (${type})`)
  } else if (error.stack) lines.push(error.stack)
  lines.push(`page ${globalThis.location.pathname}`, `time ${new Date().toISOString()}`)
  return lines.join('\n')
}
