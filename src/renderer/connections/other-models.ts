import {
  type Connection,
  ConnectionLimits,
  type EndpointModels,
  type StandardConnectionBody,
} from '../../contract/connections/connections.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'

/** Not an agent, which has no models. */
export type EndpointConnection = Connection & { readonly protocol: StandardConnectionBody['protocol'] }

export function isEndpoint(connection: Connection): connection is EndpointConnection {
  return connection.protocol !== 'agent_to_agent'
}

type ListedModel = EndpointModels['items'][number]

/** A model that an endpoint lists, and the connection that the workspace already has for it. */
export interface OtherModel extends ListedModel {
  readonly connection: Connection | null
}

/**
 * What the endpoint of a connection lists beside the connection's own model.
 * @param made connections that were made with the first one's key, and are therefore used again whatever their check said
 */
export function otherModels(
  of: Connection,
  listed: readonly ListedModel[],
  connections: readonly Connection[],
  made: readonly string[],
): readonly OtherModel[] {
  const usable = connections.filter(one => one.status !== 'disabled' && (!isRefused(one) || made.includes(one.id)))
  const byName = new Map(listed.map(one => [one.model, one]))
  byName.delete(of.model)
  return [...byName.values()].map(one => ({ ...one, connection: connectionTo(one.model, of, usable) }))
}

/** One that sends the same to the same endpoint but for the model's name; a ready one before others, the newest of equals. */
function connectionTo(model: string, of: Connection, connections: readonly Connection[]): Connection | null {
  const own = sentBy(of)
  const same = connections.filter(one => one.model === model && sentBy(one) === own)
  return same.find(({ status }) => status === 'ready') ?? same[0] ?? null
}

/** Its key may be another one, which no page can see: that of another account, or one that was withdrawn. */
function isRefused({ status, last_check }: Connection): boolean {
  return status === 'failing' && last_check?.code === 'credential_refused'
}

function sentBy({
  protocol,
  probes,
  base_url,
  streaming,
  has_api_key,
  header_names,
  ca_certificates,
  request_settings,
}: Connection): string {
  const headers = header_names.map(name => name.toLowerCase()).toSorted()
  return JSON.stringify([protocol, probes.toSorted(), base_url, streaming, has_api_key, headers, ca_certificates, request_settings])
}

/**
 * A connection like another one to another model of its endpoint. What is known of the first model, its rates above all, is not known of this one.
 * @param taken names of connections
 */
export function connectionBody(
  { model, context_tokens }: ListedModel,
  of: EndpointConnection,
  taken: readonly string[],
): StandardConnectionBody {
  const shown = showHidden(model)
  const { id, protocol, probes, base_url, streaming, limits, ca_certificates, request_settings } = of
  return {
    kind: 'openai_compatible',
    name: (taken.includes(shown) ? `${shown} · ${of.name}` : shown).slice(0, 200).toWellFormed(),
    protocol,
    probes,
    base_url,
    model,
    streaming,
    credentials_from: id,
    // A listing may state any number.
    limits: { ...limits, context_tokens: ConnectionLimits.shape.context_tokens.catch(null).parse(context_tokens), max_output_tokens: null },
    ca_certificates,
    request_settings,
    rates: null,
  }
}
