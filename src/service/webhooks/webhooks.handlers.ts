import type { webhooksEndpoints } from '../../contract/webhooks/webhooks.endpoints.ts'
import { eventScopes, type Webhook, type WebhookDelivery } from '../../contract/webhooks/webhooks.schemas.ts'
import { scopesIn } from '../auth/index.ts'
import type { Asker, Handlers } from '../http/handler.ts'
import type { Webhooks } from './webhooks.service.ts'

/** What was sent about things that the caller may not read is hidden. */
function shown(delivery: WebhookDelivery, { principal, workspace }: Asker): WebhookDelivery {
  const { event } = delivery
  return event === 'webhook.test' || scopesIn(principal, workspace).includes(eventScopes[event]) ? delivery : { ...delivery, payload: null }
}

function shownHook<Hook extends Webhook>(hook: Hook, reader: Asker): Hook {
  return { ...hook, last_delivery: hook.last_delivery && shown(hook.last_delivery, reader) }
}

export function webhooksHandlers(webhooks: Webhooks): Handlers<typeof webhooksEndpoints> {
  return {
    createWebhook: (context, { body }) => webhooks.create(context, body),
    listWebhooks: (context, { query }) => {
      const { items, ...page } = webhooks.list(context.workspaceId, query)
      return { ...page, items: items.map(hook => shownHook(hook, context)) }
    },
    changeWebhook: async (context, { params, body }) => shownHook(await webhooks.change(context, params.webhook_id, body), context),
    deleteWebhook: ({ workspaceId }, { params }) => webhooks.remove(workspaceId, params.webhook_id),
    testWebhook: ({ workspaceId, signal }, { params }) => webhooks.test(workspaceId, params.webhook_id, signal),
    rotateWebhookSecret: async (context, { params }) => shownHook(await webhooks.rotate(context.workspaceId, params.webhook_id), context),
    listWebhookDeliveries: (context, { params, query }) => {
      const { items, ...page } = webhooks.deliveries(context.workspaceId, params.webhook_id, query)
      return { ...page, items: items.map(delivery => shown(delivery, context)) }
    },
    retryWebhookDelivery: (context, { params }) =>
      shown(webhooks.retry(context.workspaceId, params.webhook_id, params.delivery_id), context),
  }
}
