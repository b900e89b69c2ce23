import { z } from 'zod'
import type { Draw } from '../../../../tasks/draw.ts'

const Cell = z.union([z.string(), z.int()])

/** The rows of a small shop, by table, each in the order of its columns. */
export const Shop = z.object({
  customers: z.array(z.array(Cell)),
  products: z.array(z.array(Cell)),
  orders: z.array(z.array(Cell)),
  order_lines: z.array(z.array(Cell)),
})
export type Shop = z.infer<typeof Shop>

export const schema = [
  'create table customers (id integer primary key, name text, city text)',
  'create table products (id integer primary key, name text, category text, price integer)',
  'create table orders (id integer primary key, customer_id integer references customers, month text, paid integer)',
  'create table order_lines (order_id integer references orders, product_id integer references products, quantity integer)',
] as const

export const cities = ['Bergen', 'Lyon', 'Porto', 'Turin'] as const
export const categories = ['garden', 'kitchen', 'office', 'toys'] as const
export const months = ['2026-01', '2026-02', '2026-03', '2026-04'] as const
const names = ['Ada', 'Bo', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jana', 'Kim', 'Leo'] as const
const things = [
  'bench',
  'bowl',
  'chalk',
  'drum',
  'folder',
  'kite',
  'lamp',
  'mug',
  'pan',
  'puzzle',
  'rake',
  'shelf',
  'spade',
  'stapler',
] as const

export function drawShop(draw: Draw): Shop {
  const customers = draw.sample(names, 9).map((name, i) => [i + 1, name, draw.pick(cities)])
  const products = draw.sample(things, 11).map((name, i) => [i + 1, name, draw.pick(categories), draw.int(2, 60)])
  const orders = Array.from({ length: 18 }, (_, i) => [
    i + 1,
    draw.int(1, customers.length),
    draw.pick(months),
    draw.int(0, 3) === 0 ? 0 : 1,
  ])
  const order_lines = orders.flatMap(([id = 0]) =>
    draw.sample(products, draw.int(1, 2)).map(([product = 0]) => [id, product, draw.int(1, 5)]),
  )
  return { customers, products, orders, order_lines }
}
