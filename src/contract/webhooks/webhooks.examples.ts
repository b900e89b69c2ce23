import type { BodyExamples } from '../body-examples.ts'
import type { webhooksEndpoints } from './webhooks.endpoints.ts'

export const webhooksExamples: BodyExamples<typeof webhooksEndpoints> = {
  createWebhook: { name: 'Team chat', url: 'https://hooks.example.com/assay', events: ['run.ended', 'monitor.alarm'] },
  changeWebhook: { status: 'disabled' },
}
