import type { Webhook, WebhookDelivery, WebhookEvent } from '../../contract/webhooks/webhooks.schemas.ts'
import type { Status } from '../ui/values/statuses.ts'

export const eventTitles: Readonly<Record<WebhookEvent, string>> = {
  'run.ended': 'Run ended',
  'verdict.needed': 'Verdict needed',
  'monitor.alarm': 'Monitor alarm',
  'budget.reached': 'Budget at 80 %',
  'schedule.paused': 'Schedule paused',
}

export const webhookStatuses: Readonly<Record<Webhook['status'], Status>> = {
  active: { word: 'Active', tone: 'pass' },
  disabled: { word: 'Disabled', tone: 'neutral' },
}

export const deliveryStatuses: Readonly<Record<WebhookDelivery['status'], Status>> = {
  pending: { word: 'Pending', tone: 'running' },
  delivered: { word: 'Delivered', tone: 'pass' },
  dead: { word: 'Not delivered', tone: 'fail' },
}
