import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { ApiKey } from '../../contract/keys/keys.schemas.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'

export function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }) {
  return (
    <>
      <Section title="Money">
        <KeyValues
          items={{
            Spent: <Money microUsd={apiKey.spent_microusd} />,
            'Set aside for runs': <Money microUsd={apiKey.held_microusd} />,
            'Wallet spending limit': apiKey.ceiling_microusd === null ? 'none' : <Money microUsd={apiKey.ceiling_microusd} />,
            'Billed by providers': <Money microUsd={apiKey.provider_spent_microusd} />,
            'Provider cost still possible': <Money microUsd={apiKey.provider_held_microusd} />,
            'Provider spending limit':
              apiKey.provider_ceiling_microusd === null ? 'none' : <Money microUsd={apiKey.provider_ceiling_microusd} />,
          }}
        />
        <p className="quiet small prose" style={{ margin: 0 }}>
          A key and those it was rolled from or into share both limits. The provider limit covers what providers bill for connections.
        </p>
      </Section>
      <Section title="Times">
        <KeyValues
          items={{
            Created: <RelativeTime at={apiKey.created_at} />,
            'Last used': apiKey.last_used_at === null ? 'never' : <RelativeTime at={apiKey.last_used_at} />,
            Expires: apiKey.expires_at === null ? 'never' : <RelativeTime at={apiKey.expires_at} />,
            'Overlap ends': apiKey.stops_at === null ? null : <RelativeTime at={apiKey.stops_at} />,
            Revoked: apiKey.revoked_at === null ? null : <RelativeTime at={apiKey.revoked_at} />,
          }}
        />
      </Section>
      <Section title="Permissions">
        <div className="mono small" style={{ columns: '150px', lineHeight: 1.7 }}>
          {apiKey.scopes.map(scope => (
            <div key={scope}>{scope}</div>
          ))}
        </div>
        <p className="quiet small prose" style={{ margin: 0 }}>
          Every key can also send and read feedback.
        </p>
      </Section>
      <Section title="Identity">
        <KeyValues
          items={{
            'Begins with': <span className="mono">{apiKey.prefix}…</span>,
            Key: <Identifier value={apiKey.id} what="key id" shown={36} />,
            Replaces: <Other id={apiKey.replaces} />,
            'Replaced by': <Other id={apiKey.replaced_by} />,
          }}
        />
      </Section>
    </>
  )
}

function Other({ id }: { readonly id: string | null }) {
  if (id === null) return <span className="quiet">no other</span>
  return (
    <Anchor component={Link} to={`/workspace/keys?open=${id}`} fz="inherit" className="mono">
      {id.slice(0, 13)}…
    </Anchor>
  )
}
