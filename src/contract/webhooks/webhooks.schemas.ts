import { z } from 'zod'
import { JsonObject, Name, named, Timestamp, Uuid } from '../primitives.ts'
import type { Scope } from '../scopes.ts'
import { webhookDeliveryMachine, webhookMachine } from './webhook.machine.ts'

/** What is told. */
export const webhookEvents = ['run.ended', 'verdict.needed', 'monitor.alarm', 'budget.reached', 'schedule.paused'] as const
export const WebhookEvent = z
  .enum(webhookEvents)
  .describe(
    '`run.ended`: a run has a result or failed. `verdict.needed`: a release decision waits for a person. `monitor.alarm`: a monitor found a regression. `budget.reached`: 80 % of a spending limit of a key, a schedule or a monitor is used. `schedule.paused`: the service paused a schedule.',
  )
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** The scope in which the same is read by requests: needed to receive an event, and to read its deliveries. */
export const eventScopes = {
  'run.ended': 'runs:read',
  'verdict.needed': 'releases:read',
  'monitor.alarm': 'tuning:read',
  'budget.reached': 'billing:read',
  'schedule.paused': 'runs:read',
} as const satisfies Record<WebhookEvent, Scope>

/** Share of a limit from which `budget.reached` is sent. */
export const budgetShare = 0.8

const Url = z.url({ protocol: /^https?$/, error: 'must be an https address, or http on this machine' }).max(2000)
const Events = z
  .array(WebhookEvent)
  .min(1)
  .max(webhookEvents.length)
  .describe(
    `Each at most once. A caller needs the scope of each: ${Object.entries(eventScopes)
      .map(([event, scope]) => `\`${event}\` ${scope}`)
      .join(', ')}.`,
  )
const AllowPrivate = z.boolean().describe('Allows an address of a private network. Only an owner’s or admin’s session may set it.')

export const NewWebhook = named('NewWebhook', {
  name: Name,
  url: Url,
  events: Events.default([...webhookEvents]),
  allow_private: AllowPrivate.default(false),
})

export const WebhookChanges = z
  .strictObject({
    name: Name.optional(),
    url: Url.optional(),
    events: Events.optional(),
    allow_private: AllowPrivate.optional(),
    status: z.enum(webhookMachine.states).optional(),
  })
  .refine(body => Object.keys(body).length > 0, 'nothing to change: give at least one field')
  .meta({ id: 'WebhookChanges' })

export const WebhookDelivery = named('WebhookDelivery', {
  id: Uuid.describe('Also the `webhook-id` of the request, the same for every try.'),
  webhook_id: Uuid,
  event: z.enum([...webhookEvents, 'webhook.test']),
  payload: JsonObject.nullable().describe('The body as it is sent; null where the caller lacks the scope of the event.'),
  status: z.enum(webhookDeliveryMachine.states),
  tries: z.int().min(0),
  next_try_at: Timestamp.nullable(),
  http_status: z.int().nullable().describe('Of the last try; null where nothing answered.'),
  message: z.string().nullable().describe('Why the last try failed.'),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export const Webhook = named('Webhook', {
  id: Uuid,
  name: Name,
  url: z.string(),
  events: z.array(WebhookEvent),
  allow_private: z.boolean(),
  status: z.enum(webhookMachine.states),
  disabled_reason: z.string().nullable(),
  old_secret_until: Timestamp.nullable().describe('Until then the previous secret also signs.'),
  dead_deliveries: z.int().min(0),
  last_delivery: WebhookDelivery.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The only response that contains the secret. */
export const WebhookWithSecret = named('WebhookWithSecret', {
  ...Webhook.shape,
  signing_secret: z.string().describe('Shown once. Verifies the signatures of Standard Webhooks 1.0.'),
})

export type NewWebhook = z.infer<typeof NewWebhook>
export type Webhook = z.infer<typeof Webhook>
export type WebhookChanges = z.infer<typeof WebhookChanges>
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>
