import type { BodyExamples } from '../body-examples.ts'
import type { billingEndpoints } from './billing.endpoints.ts'

export const billingExamples: BodyExamples<typeof billingEndpoints> = {
  createPurchase: { amount_microusd: '5000000', note: 'Budget of November' },
}
