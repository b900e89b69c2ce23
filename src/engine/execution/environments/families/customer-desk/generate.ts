import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import type { Task } from '../../../../tasks/task.ts'
import type { Action } from '../../environment.ts'
import { type Change, type Customer, type Order, refundDays, refusal } from './records.ts'

const taskCount = 120
const names = [
  'Ana Silva',
  'Ben Okoro',
  'Chloe Martin',
  'Dmitri Petrov',
  'Elif Kaya',
  'Farid Amini',
  'Grace Lee',
  'Hugo Berg',
  'Ines Costa',
  'Jonas Weber',
] as const
const items = [
  'kettle',
  'desk lamp',
  'backpack',
  'headphones',
  'rain jacket',
  'coffee grinder',
  'office chair',
  'keyboard',
  'bicycle pump',
  'tent',
] as const
const streets = ['Mill Lane', 'Station Road', 'Harbour Street', 'Elm Avenue', 'Church Square'] as const
const statuses = ['processing', 'shipped', 'delivered', 'delivered', 'delivered'] as const
const wishes = ['refund', 'cancel', 'address'] as const

/** @param seed 32-bit integer; part of the version, since another seed gives other books and other customers */
export function generate(version: string, seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  return { version, tasks: Array.from({ length: taskCount }, (_, i) => drawTask(draw, i)), shots: [] }
}

function drawTask(draw: Draw, i: number): Task {
  const customers = draw.sample(names, 4).map((name): Customer => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` }))
  const orders = customers.flatMap(({ email }) => draw.sample(items, 2 + (i % 2)).map(item => drawOrder(draw, email, item)))
  const customer = customers[i % customers.length] ?? { name: '', email: '' }
  const own = orders.filter(order => order.customer === customer.email)
  const wish = wishes[i % wishes.length] ?? 'refund'
  // Half of the wishes are ones that the policy grants, as far as the customer's orders allow.
  const wanted = own.filter(order => (refusal(wish, order) === null) === (Math.floor(i / wishes.length) % 2 === 0))
  const order = wanted[0] ?? own[0]
  if (!order) throw new Error('A customer without an order.')
  const address = `${draw.int(1, 90)} ${draw.pick(streets)}`
  const reason = refusal(wish, order)
  const change: Change =
    reason === null
      ? { kind: wish, order: order.id, ...(wish === 'address' ? { address } : {}) }
      : { kind: 'decline', order: order.id, reason }
  return {
    id: `desk-${String(i + 1).padStart(3, '0')}`,
    split: 'test',
    fields: { instruction: letter(customer, wish, order, address) },
    targets: [change.kind],
    choices: null,
    metadata: {
      wish,
      policy: reason === null ? 'grants' : 'forbids',
      setup: { customers, orders },
      goal: { changes: [change] },
      reference_actions: referenceActions(customer, order, change),
    },
    capabilities: ['following a policy', 'tool use'],
    dependsOn: [],
  }
}

function drawOrder(draw: Draw, customer: string, item: string): Order {
  const status = draw.pick(statuses)
  return {
    id: `A${draw.int(10_000, 99_999)}`,
    customer,
    item,
    price: draw.int(10, 300),
    status,
    delivered_days_ago: status === 'delivered' ? draw.int(1, 2 * refundDays) : null,
    address: `${draw.int(1, 90)} ${draw.pick(streets)}`,
  }
}

function letter({ name, email }: Customer, wish: (typeof wishes)[number], { item }: Order, address: string): string {
  const asked = {
    refund: `I would like my money back for the ${item}.`,
    cancel: `please cancel my order of the ${item}.`,
    address: `please send the ${item} that I ordered to ${address} instead.`,
  }[wish]
  return `Message from ${email}:\n\nHello, ${asked}\n${name}`
}

function referenceActions({ email }: Customer, order: Order, change: Change): Action[] {
  const tool = { refund: 'refund_order', cancel: 'cancel_order', address: 'change_address', decline: 'decline_request' }[change.kind]
  const { kind: _, order: id, ...more } = change
  return [
    { tool: 'find_orders', arguments: { email } },
    { tool: 'read_order', arguments: { order_id: order.id } },
    { tool, arguments: { order_id: id, ...more } },
  ]
}
