import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { currentWorkspaceId } from '../api/workspace.ts'
import { Section } from '../ui/page/page-header.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'

/** No traces yet: two environment variables, or a provider. */
export function FirstTraces() {
  const workspace = currentWorkspaceId() ?? '<workspace id>'
  const variables = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', globalThis.location.origin],
    ['OTEL_EXPORTER_OTLP_HEADERS', `Authorization=Bearer%20<API key>,X-Workspace-ID=${workspace}`],
  ] as const
  return (
    <div className="stack" style={{ gap: 24 }}>
      <Section title="Send traces from your application">
        <p className="quiet">Any OpenTelemetry exporter over HTTP works. Set two environment variables and start your application.</p>
        <ol className="traces-variables">
          {variables.map(([name, value]) => (
            <li key={name}>
              <code className="mono">
                {name}={value}
              </code>
              <CopyButton value={`${name}=${value}`} what={name} />
            </li>
          ))}
        </ol>
        <p className="quiet">
          The API key needs the scope <code className="mono">traces:write</code>.
        </p>
        <Button
          component={Link}
          to="/workspace/keys/new?scopes=traces:write"
          variant="default"
          style={{ alignSelf: 'flex-start', justifySelf: 'start' }}
        >
          Create an API key
        </Button>
      </Section>
      <Section title="Or read them from a provider">
        <p className="quiet">Langfuse, LangSmith or Braintrust. Read only: nothing is written there, and no grader runs.</p>
        <Button component={Link} to="/traces/integrations/new" style={{ alignSelf: 'flex-start', justifySelf: 'start' }}>
          Connect a provider
        </Button>
      </Section>
    </div>
  )
}
