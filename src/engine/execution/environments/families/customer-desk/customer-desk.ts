import type { Task } from '../../../../tasks/task.ts'
import type { Action, EnvironmentFamily, Simulation } from '../../environment.ts'
import { familyDefinition } from '../family.ts'
import { generate } from './generate.ts'
import { type Change, type Order, refundDays, Setup } from './records.ts'

const seed = 20261101
const version = `1.0.0-seed${seed}`
const maxTurns = 10
const reasons = ['not_delivered', 'too_late', 'already_sent'] as const

const rules = [
  'You work at the service desk of a shop and settle the request of one customer with the tools. The policy:',
  `- A refund is given only for an order that was delivered, at most ${refundDays} days ago. Otherwise decline with not_delivered or too_late.`,
  '- An order may be cancelled, or its address changed, only while it is processing. Otherwise decline with already_sent.',
  '- Only the order that the customer means is touched, and each request gets exactly one change or one decline. Nothing can be undone.',
  'When it is done, answer the customer in a sentence.',
].join('\n')

const orderId = { name: 'order_id', type: 'string', description: 'Number of the order, such as A12345' } as const

export const customerDesk: EnvironmentFamily = {
  id: '01934f00-0000-7000-8000-000000000002',
  version,
  maxTurns,
  observationBytes: 4_000,
  definition: familyDefinition({
    slug: 'customer-desk',
    title: 'Customer desk',
    summary: 'Settle customers’ requests with the shop’s tools and within its policy.',
    description:
      'Whether a model finds out what it needs, applies a written policy to it, and changes exactly what it should. Half of the requests are to be ' +
      'granted and half declined with the right reason. The goal is reached when the books hold the one right entry and no other: a forbidden refund, ' +
      'a change to another order or doing a thing twice all fail.',
    howMade:
      'Books of four customers with two or three orders each, and one request, drawn from a seed. What is right follows from the policy by a rule in ' +
      'the generator, and the reference looks the order up and does just that. The seed is part of the version.',
    knownLimits: [
      'The customer writes once and does not argue; there is no conversation to steer.',
      'Three kinds of request and three reasons to decline.',
      'What the model writes to the customer is not judged, only what it did to the books.',
    ],
    capabilities: ['following a policy', 'tool use'],
    rules,
    maxTurns,
    breakdowns: ['wish', 'policy'],
  }),
  tools: [
    {
      name: 'find_orders',
      description: 'Lists the orders of a customer.',
      parameters: [{ name: 'email', type: 'string', description: 'Address of the customer' }],
    },
    { name: 'read_order', description: 'Shows an order: status, delivery, price, address.', parameters: [orderId] },
    { name: 'refund_order', description: 'Pays an order back.', parameters: [orderId] },
    { name: 'cancel_order', description: 'Cancels an order.', parameters: [orderId] },
    {
      name: 'change_address',
      description: 'Changes where an order is sent.',
      parameters: [orderId, { name: 'address', type: 'string', description: 'The new address' }],
    },
    {
      name: 'decline_request',
      description: 'Declines what the customer asks for.',
      parameters: [orderId, { name: 'reason', type: 'string', description: 'Why', values: reasons }],
    },
  ],
  content: () => generate(version, seed),
  start: task => new DeskWorld(task),
  candidates: task => {
    const { customers, orders } = Setup.parse(task.metadata).setup
    return {
      email: customers.map(({ email }) => email),
      order_id: orders.map(({ id }) => id),
      address: orders.map(({ address }) => address),
      reason: reasons,
    }
  },
}

class DeskWorld implements Simulation {
  readonly #orders: Map<string, Order>
  readonly #changes: Change[] = []
  readonly over = false

  constructor({ metadata }: Task) {
    this.#orders = new Map(Setup.parse(metadata).setup.orders.map(order => [order.id, { ...order }]))
  }

  act({ tool, arguments: given }: Action): string {
    if (tool === 'find_orders') return this.#ordersOf(String(given['email']))
    const id = String(given['order_id'])
    const order = this.#orders.get(id)
    if (!order) return `There is no order ${JSON.stringify(id.slice(0, 40))}.`
    switch (tool) {
      case 'read_order':
        return JSON.stringify(order)
      case 'refund_order':
        order.status = 'refunded'
        return this.#record({ kind: 'refund', order: id })
      case 'cancel_order':
        order.status = 'cancelled'
        return this.#record({ kind: 'cancel', order: id })
      case 'change_address':
        order.address = String(given['address'])
        return this.#record({ kind: 'address', order: id, address: order.address })
      default:
        return this.#record({ kind: 'decline', order: id, reason: String(given['reason']) })
    }
  }

  state() {
    return { changes: this.#changes }
  }

  #ordersOf(email: string): string {
    const own = [...this.#orders.values()].filter(order => order.customer === email.trim().toLowerCase())
    if (own.length === 0) return `There is no customer ${JSON.stringify(email.slice(0, 80))}.`
    return own.map(({ id, item, status }) => `${id}: ${item}, ${status}`).join('\n')
  }

  #record(change: Change): string {
    this.#changes.push(change)
    return 'Done.'
  }
}
