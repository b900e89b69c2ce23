import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { webhookDeliveryMachine } from './webhook.machine.ts'
import { NewWebhook, Webhook, WebhookChanges, WebhookDelivery, WebhookWithSecret } from './webhooks.schemas.ts'

const params = z.strictObject({ webhook_id: Uuid })

/** Requests that tell other programs what has happened in a workspace. */
export const webhooksEndpoints = endpoints('Webhooks', {
  createWebhook: {
    route: 'POST /v1/webhooks',
    summary: 'Register an address that is told of events',
    description:
      'Requests are signed as Standard Webhooks 1.0 asks and hold ids, names and figures, never prompts or answers. Addresses: https, or loopback; a private network needs `allow_private`. Redirects are not followed. A workspace has at most 50 webhooks. It is disabled once the key that registered it ends or the person leaves; who enables it takes it over.',
    scope: 'workspace:write',
    status: 201,
    idempotent: 'sealed',
    body: NewWebhook,
    response: WebhookWithSecret,
    errors: ['conflict', 'human_approval_required', 'unavailable'],
  },
  listWebhooks: {
    route: 'GET /v1/webhooks',
    summary: 'List webhooks',
    description: 'Newest first, each with its last delivery.',
    scope: 'workspace:read',
    query: z.strictObject(paging()),
    response: page(Webhook),
    errors: ['invalid_cursor'],
  },
  changeWebhook: {
    route: 'PATCH /v1/webhooks/{webhook_id}',
    summary: 'Change, disable or enable a webhook',
    description: 'While it is disabled nothing is queued for it, and what was queued waits.',
    scope: 'workspace:write',
    params,
    body: WebhookChanges,
    response: Webhook,
    errors: ['human_approval_required', 'unavailable'],
  },
  deleteWebhook: {
    route: 'DELETE /v1/webhooks/{webhook_id}',
    summary: 'Delete a webhook with its secret and deliveries',
    description: 'Events that were not delivered yet are dropped.',
    scope: 'workspace:write',
    params,
    response: z.strictObject({ ok: z.literal(true) }),
  },
  testWebhook: {
    route: 'POST /v1/webhooks/{webhook_id}/test',
    summary: 'Send a signed test event',
    description: 'One request of the type `webhook.test`, and no retry.',
    scope: 'workspace:write',
    params,
    response: WebhookDelivery,
    errors: ['illegal_transition', 'unavailable'],
  },
  rotateWebhookSecret: {
    route: 'POST /v1/webhooks/{webhook_id}/rotate-secret',
    summary: 'Make a new signing secret for a webhook',
    description: 'The old secret also signs for 24 hours.',
    scope: 'workspace:write',
    idempotent: 'sealed',
    params,
    response: WebhookWithSecret,
    errors: ['unavailable'],
  },
  listWebhookDeliveries: {
    route: 'GET /v1/webhooks/{webhook_id}/deliveries',
    summary: 'List deliveries of a webhook',
    description:
      'Newest first. `status=dead` lists what no try could deliver. Those that ended are kept for 30 days, and of dead ones the newest 1,000.',
    scope: 'workspace:read',
    params,
    query: z.strictObject({ ...paging(), status: z.enum(webhookDeliveryMachine.states).optional() }),
    response: page(WebhookDelivery),
    errors: ['invalid_cursor'],
  },
  retryWebhookDelivery: {
    route: 'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    summary: 'Send a dead delivery again',
    description: 'The same id and body with a new time and signature. It is tried as often as a new one.',
    scope: 'workspace:write',
    params: params.extend({ delivery_id: Uuid }),
    response: WebhookDelivery,
    errors: ['illegal_transition'],
  },
})
