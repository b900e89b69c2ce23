import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { ModelRoute } from '../../contract/catalog/models.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { quoteAddress } from '../catalog/catalog-links.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { routeStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useRole } from '../workspace/use-role.ts'
import { LocalRatesForm } from './local-rates-form.tsx'
import { kindWords } from './models.ts'
import { RatesText } from './rates-text.tsx'

export function RouteDetails({ route }: { readonly route: ModelRoute }) {
  const { availability, limits } = route
  const { isOwner } = useRole()
  return (
    <>
      <div className="row">
        <StatusBadge status={routeStatuses[availability.status]} />
        {availability.status === 'ready' ? (
          <Button component={Link} to={quoteAddress({ route: route.route_id })} size="xs">
            New run with this model
          </Button>
        ) : null}
      </div>
      {route.is_model ? null : (
        <p className="prose" style={{ margin: 0 }}>
          A baseline for reference, not a model. Lists and reports mark it.
        </p>
      )}
      <UntrustedText text={route.summary} layout="prose" />
      {availability.reasons.map(reason => (
        <UntrustedText key={reason} text={reason} layout="prose" />
      ))}
      <Section title="Facts">
        <KeyValues
          items={{
            Route: <Identifier value={route.route_id} what="route id" shown={60} />,
            Kind: kindWords[route.kind],
            Provider: <UntrustedText text={route.provider} layout="prose" />,
            Model: <UntrustedText text={route.model} layout="inline" />,
            Capabilities: <UntrustedText text={route.capabilities.join(', ')} layout="prose" />,
            Rates: <RatesText rates={route.rates} />,
            'Reasoning efforts': route.efforts.length === 0 ? 'none' : route.efforts.join(', '),
          }}
        />
      </Section>
      {route.kind === 'local' && isOwner ? (
        <Section title="Rates">
          <LocalRatesForm key={route.route_id} route={route} />
        </Section>
      ) : null}
      <Section title="Limits">
        <KeyValues
          items={{
            'Max concurrency': formatCount(limits.max_concurrency),
            'Requests per minute': limits.requests_per_minute === null ? null : formatCount(limits.requests_per_minute),
            'Tokens per minute': limits.tokens_per_minute === null ? null : formatCount(limits.tokens_per_minute),
            'Context tokens': limits.context_tokens === null ? 'not known' : formatCount(limits.context_tokens),
            'Max output tokens': limits.max_output_tokens === null ? 'not known' : `${formatCount(limits.max_output_tokens)} tokens`,
          }}
        />
      </Section>
    </>
  )
}
