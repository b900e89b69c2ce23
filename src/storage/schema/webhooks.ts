import type { Generated } from 'kysely'
import type { WebhookDeliveryStatus, WebhookStatus } from '../../contract/webhooks/webhook.machine.ts'
import type { WebhookDelivery } from '../../contract/webhooks/webhooks.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface WebhooksTable {
  id: string
  workspace_id: string
  name: string
  url: string
  /** JSON list of the contract's WebhookEvent. */
  events: JsonText
  allow_private: 0 | 1
  status: StatusColumn<WebhookStatus>
  disabled_reason: string | null
  /** Encrypted. */
  secret: Uint8Array
  old_secret_until: string | null
  /** Person or key; null: registered by an earlier version. */
  owner_id: string | null
  created_at: string
  updated_at: string
}

export interface WebhookDeliveriesTable {
  no: Generated<number>
  id: string
  webhook_id: string
  event: WebhookDelivery['event']
  /** The body as it is sent. */
  payload: JsonText
  status: StatusColumn<WebhookDeliveryStatus>
  tries: Generated<number>
  /** Null once it has ended. */
  next_try_at: string | null
  http_status: number | null
  message: string | null
  created_at: string
  finished_at: string | null
}

/** Limits that were reported: each once. */
export interface WebhookBudgetsTable {
  workspace_id: string
  /** What the limit is of, its period and its amount. */
  subject: string
  told_at: string
}
