import type { ModelRoute, Rates } from '../../contract/catalog/models.schemas.ts'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { connectionStatus, routeStatuses, type Status } from '../ui/values/statuses.ts'

/** One line of the model choice. */
export interface ModelOption {
  /** `managed:<route id>` or `connection:<connection id>`. */
  readonly value: string
  readonly label: string
  readonly group: 'Connections' | 'Local' | 'Hosted' | 'Baselines: not a model'
  readonly summary: string
  readonly status: Status
  /** Why it cannot be chosen; empty when it can. */
  readonly reasons: readonly string[]
  readonly capabilities: readonly string[]
  readonly isModel: boolean
}

const routeGroups = { local: 'Local', hosted: 'Hosted', baseline: 'Baselines: not a model' } as const

/** Everything that could answer, what can be chosen first within each group. A disabled connection is gone for good; one of embeddings answers nothing. */
export function modelOptions(routes: readonly ModelRoute[], connections: readonly Connection[]): readonly ModelOption[] {
  const options = [
    ...connections.filter(({ status, capabilities }) => status !== 'disabled' && capabilities.includes('chat')).map(ofConnection),
    ...routes.map(ofRoute),
  ]
  return options.toSorted((a, b) => Number(a.reasons.length > 0) - Number(b.reasons.length > 0))
}

function ofRoute(route: ModelRoute): ModelOption {
  return {
    value: `managed:${route.route_id}`,
    label: route.title,
    group: routeGroups[route.kind],
    summary: route.kind === 'baseline' ? route.summary : `${route.provider}, ${route.model}, ${describeRates(route.rates)}`,
    status: routeStatuses[route.availability.status],
    reasons: route.availability.status === 'ready' ? [] : route.availability.reasons,
    capabilities: route.capabilities,
    isModel: route.is_model,
  }
}

function ofConnection(connection: Connection): ModelOption {
  return {
    value: `connection:${connection.id}`,
    label: connection.name,
    group: 'Connections',
    summary: `${connection.model} at ${connection.base_url}, ${connection.rates ? describeRates(connection.rates) : 'price unknown'}, billed by its provider`,
    status: connectionStatus(connection),
    reasons: connection.status === 'ready' ? [] : [connection.last_check?.message ?? 'Check the connection on the Models page first.'],
    capabilities: connection.capabilities,
    isModel: true,
  }
}

function describeRates({ input_microusd_per_million: input, output_microusd_per_million: output }: Rates): string {
  if (input === '0' && output === '0') return 'free'
  return `${formatUsd(input)} in and ${formatUsd(output)} out per million tokens`
}
