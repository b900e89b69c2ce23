import type { webhooksEndpoints } from '../../contract/webhooks/webhooks.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Webhooks } from './webhooks.service.ts'

export function webhooksHandlers(webhooks: Webhooks): Handlers<typeof webhooksEndpoints> {
  return {
    createWebhook: ({ principal, workspace }, { body }) => webhooks.create({ principal, workspace }, body),
    listWebhooks: ({ workspaceId }, { query }) => webhooks.list(workspaceId, query),
    changeWebhook: ({ principal, workspace }, { params, body }) => webhooks.change({ principal, workspace }, params.webhook_id, body),
    deleteWebhook: ({ workspaceId }, { params }) => webhooks.remove(workspaceId, params.webhook_id),
    testWebhook: ({ workspaceId, signal }, { params }) => webhooks.test(workspaceId, params.webhook_id, signal),
    rotateWebhookSecret: ({ workspaceId }, { params }) => webhooks.rotate(workspaceId, params.webhook_id),
    listWebhookDeliveries: ({ workspaceId }, { params, query }) => webhooks.deliveries(workspaceId, params.webhook_id, query),
    retryWebhookDelivery: ({ workspaceId }, { params }) => webhooks.retry(workspaceId, params.webhook_id, params.delivery_id),
  }
}
