export { webhooksHandlers } from './webhooks.handlers.ts'
export { createWebhooks } from './webhooks.service.ts'
