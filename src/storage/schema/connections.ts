import type { Generated } from 'kysely'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface ConnectionsTable {
  id: string
  workspace_id: string
  kind: 'openai_compatible' | 'agent_to_agent'
  /** Wire protocol of the endpoint. */
  protocol: Connection['protocol']
  /** JSON array of the capabilities that a check proves. */
  probes: JsonText
  name: string
  base_url: string
  model: string
  streaming: 0 | 1
  limits: JsonText
  /** What is sent with every call beside a benchmark's own settings. */
  request_settings: JsonText
  /** PEM; null: those of the system alone. */
  ca_certificates: string | null
  rates: JsonText | null
  /** Encrypted JSON {api_key, headers}; null when there is neither. */
  secret: Uint8Array | null
  /** Scheme, host and port that the secret may be sent to. */
  secret_origin: string | null
  /** Whether a person gave its address. */
  by_person: Generated<0 | 1>
  has_api_key: 0 | 1
  header_names: JsonText
  status: StatusColumn<'unchecked' | 'ready' | 'failing' | 'disabled'>
  last_check: JsonText | null
  created_at: string
  updated_at: string
}

/** A model server on this machine as it was last found. */
export interface FoundRuntimesTable {
  workspace_id: string
  base_url: string
  runtime: JsonText
  found_at: string
}

/** What an owner has a model of this machine cost; models without a row are free. */
export interface LocalRouteRatesTable {
  workspace_id: string
  route_id: string
  rates: JsonText
  stated_at: string
}
