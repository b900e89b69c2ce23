import type { Draw } from '../../../../tasks/draw.ts'
import { categories, cities, months } from './shop.ts'

export interface Question {
  readonly kind: 'one table' | 'join' | 'group' | 'compare'
  readonly text: string
  readonly sql: string
  /** Whether the question requires an order of the rows. */
  readonly ordered: boolean
}

const sales = 'orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id'

/** What can be asked of a shop; each draw gives other values. */
export const questions: readonly ((draw: Draw) => Question)[] = [
  draw => {
    const city = draw.pick(cities)
    return {
      kind: 'one table',
      text: `The names of the customers in ${city}, in alphabetical order.`,
      sql: `select name from customers where city = '${city}' order by name`,
      ordered: true,
    }
  },
  draw => {
    const [category, price] = [draw.pick(categories), draw.int(10, 40)]
    return {
      kind: 'one table',
      text: `How many ${category} products cost more than ${price}?`,
      sql: `select count(*) from products where category = '${category}' and price > ${price}`,
      ordered: false,
    }
  },
  draw => {
    const count = draw.int(2, 4)
    return {
      kind: 'one table',
      text: `Name and price of the ${count} dearest products, the dearest first; at the same price the name that comes first in the alphabet.`,
      sql: `select name, price from products order by price desc, name limit ${count}`,
      ordered: true,
    }
  },
  draw => {
    const month = draw.pick(months)
    return {
      kind: 'join',
      text: `The names of all customers who ordered in ${month}, each once.`,
      sql: `select distinct c.name from customers c join orders o on o.customer_id = c.id where o.month = '${month}'`,
      ordered: false,
    }
  },
  draw => {
    const city = draw.pick(cities)
    return {
      kind: 'join',
      text: `How many unpaid orders do customers from ${city} have? (paid is 0 for an unpaid order)`,
      sql: `select count(*) from orders o join customers c on c.id = o.customer_id where c.city = '${city}' and o.paid = 0`,
      ordered: false,
    }
  },
  draw => {
    const category = draw.pick(categories)
    return {
      kind: 'join',
      text: `How many pieces of ${category} products were ordered in all? (0 when none were)`,
      sql: `select coalesce(sum(l.quantity), 0) from order_lines l join products p on p.id = l.product_id where p.category = '${category}'`,
      ordered: false,
    }
  },
  draw => {
    const month = draw.pick(months)
    return {
      kind: 'group',
      text: `For every category that was sold in ${month}: the category and its revenue (quantity times price).`,
      sql: `select p.category, sum(l.quantity * p.price) from ${sales} where o.month = '${month}' group by p.category`,
      ordered: false,
    }
  },
  draw => {
    const least = draw.int(2, 3)
    return {
      kind: 'group',
      text: `Name and number of orders of every customer with at least ${least} orders.`,
      sql: `select c.name, count(*) from customers c join orders o on o.customer_id = c.id group by c.id having count(*) >= ${least}`,
      ordered: false,
    }
  },
  draw => {
    const category = draw.pick(categories)
    return {
      kind: 'compare',
      text: `The names of the ${category} products that cost more than the average of all products.`,
      sql: `select name from products where category = '${category}' and price > (select avg(price) from products)`,
      ordered: false,
    }
  },
  draw => {
    const month = draw.pick(months)
    return {
      kind: 'compare',
      text: `The names of the customers who did not order in ${month}.`,
      sql: `select name from customers where id not in (select customer_id from orders where month = '${month}')`,
      ordered: false,
    }
  },
]
