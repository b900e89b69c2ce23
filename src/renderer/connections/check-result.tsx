import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { EndpointParameters } from '../../contract/connections/request-settings.schemas.ts'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import { capabilityName } from '../../lib/format/capability-names.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import type { Status } from '../ui/values/statuses.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

function workingStatus({ empty_answer }: NonNullable<Connection['last_check']>): Status {
  return empty_answer ? { word: 'Works, but the answer is empty', tone: 'warn' } : { word: 'Works', tone: 'pass' }
}

/** What the endpoint takes, and what it does not. */
function parametersText(parameters: EndpointParameters): string {
  const { output_limit: limit } = parameters
  const known = ([name, taken]: readonly [string, boolean | null]) => (taken === null ? [] : [{ name, taken }])
  const found = (
    [
      ['system prompt', parameters.system_role],
      ['temperature', parameters.temperature],
      ['seed', parameters.seed],
      ['streaming', parameters.streaming],
      ['token counts in streams', parameters.stream_usage],
    ] as const
  ).flatMap(known)
  const named = (taken: boolean) => found.filter(one => one.taken === taken).map(({ name }) => name)
  const accepted = [...(limit === null ? [] : [limit]), ...named(true)]
  const refused = named(false)
  return [
    ...(accepted.length > 0 ? [`takes ${accepted.join(', ')}`] : []),
    ...(refused.length > 0 ? [`does not take ${refused.join(', ')}`] : []),
  ].join('; ')
}

/** What the last check saw: whether it worked, how fast, what the endpoint can do, and what it said. */
export function CheckResult({ connection }: { readonly connection: Connection }) {
  const check = connection.last_check
  if (!check) {
    return (
      <p className="quiet" style={{ margin: 0 }}>
        Not checked yet. A check makes one small request, which the provider may bill.
      </p>
    )
  }
  return (
    <KeyValues
      items={{
        Result: (
          <StatusBadge
            status={check.ok ? workingStatus(check) : { word: check.code === null ? 'Failed' : failureLabel(check.code), tone: 'fail' }}
          />
        ),
        Message: <UntrustedText text={check.message} layout="prose" />,
        Latency: check.latency_ms === null ? null : <span className="num">{formatDuration(check.latency_ms)}</span>,
        Streaming: check.streaming === null ? null : check.streaming ? 'yes' : 'no',
        Usage: check.reports_usage === null ? null : check.reports_usage ? 'reported by the provider' : 'counted by Assay',
        Parameters: check.parameters === null ? null : parametersText(check.parameters),
        Proofs:
          check.capabilities.length === 0 ? null : (
            <ul style={{ margin: 0, paddingLeft: 16 }}>
              {check.capabilities.map(({ capability, verified, detail }) => (
                <li key={capability}>
                  <StatusBadge
                    status={
                      verified
                        ? { word: capabilityName(capability), tone: 'pass' }
                        : { word: `No ${capabilityName(capability)}`, tone: 'warn' }
                    }
                  />{' '}
                  <UntrustedText text={detail} layout="prose" />
                </li>
              ))}
            </ul>
          ),
        Checked: <RelativeTime at={check.checked_at} />,
      }}
    />
  )
}
