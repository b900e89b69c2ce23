import type { Template } from '../problem.ts'
import { animals } from './animals.ts'
import { baking } from './baking.ts'
import { building } from './building.ts'
import { deliveries } from './deliveries.ts'
import { garden } from './garden.ts'
import { harvest } from './harvest.ts'
import { library } from './library.ts'
import { outings } from './outings.ts'
import { savings } from './savings.ts'
import { schedule } from './schedule.ts'
import { shopping } from './shopping.ts'
import { sports } from './sports.ts'
import { travel } from './travel.ts'
import { water } from './water.ts'
import { workshop } from './workshop.ts'

/** Every story, by topic. The order is part of what a seed stands for. */
export const topics: readonly (readonly [topic: string, templates: readonly Template[]])[] = [
  ['shopping', shopping],
  ['baking', baking],
  ['travel', travel],
  ['garden', garden],
  ['library', library],
  ['sports', sports],
  ['savings', savings],
  ['building', building],
  ['animals', animals],
  ['schedule', schedule],
  ['harvest', harvest],
  ['workshop', workshop],
  ['outings', outings],
  ['deliveries', deliveries],
  ['water', water],
]
