import { z } from 'zod'

export const Order = z.object({
  id: z.string(),
  customer: z.string(),
  item: z.string(),
  price: z.int(),
  status: z.enum(['processing', 'shipped', 'delivered', 'cancelled', 'refunded']),
  /** Days since it was delivered; null while it was not. */
  delivered_days_ago: z.int().nullable(),
  address: z.string(),
})
export type Order = z.infer<typeof Order>

export const Customer = z.object({ email: z.string(), name: z.string() })
export type Customer = z.infer<typeof Customer>

export const Setup = z.object({ setup: z.object({ customers: z.array(Customer), orders: z.array(Order) }) })

/** What was done to the books, in the order done. */
export interface Change {
  readonly [key: string]: string
  readonly kind: 'refund' | 'cancel' | 'address' | 'decline'
  readonly order: string
}

export const refundDays = 30

/** Why the policy forbids it; null where it allows it. */
export function refusal(kind: Change['kind'], order: Order): string | null {
  switch (kind) {
    case 'refund':
      if (order.status !== 'delivered') return 'not_delivered'
      return (order.delivered_days_ago ?? 0) > refundDays ? 'too_late' : null
    case 'cancel':
    case 'address':
      return order.status === 'processing' ? null : 'already_sent'
    case 'decline':
      return null
  }
}
