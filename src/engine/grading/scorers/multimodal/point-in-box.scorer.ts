import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { judged, quote, unscored } from '../verdict.ts'

const Box = z.tuple([z.number(), z.number(), z.number(), z.number()])

export const pointInBox = defineScorer({
  id: 'screenspot/point_in_box',
  version: 1,
  title: 'Point in box (ScreenSpot)',
  description:
    'The point of the output lies in a target box, its edges included. Two numbers are a point, four are a box whose center counts. Targets are JSON lists [left, top, right, bottom]; divide by width and height where the model states pixels and the targets are shares.',
  options: z.strictObject({
    /** Divisor of the model’s numbers, e.g. 1000 for models that state thousandths. */
    divide_by: z.number().positive().default(1),
  }),
  prepare({ divide_by: divisor }) {
    return ({ output, targets }) => {
      const boxes = targets.map(boxIn)
      if (boxes.length === 0 || boxes.includes(null))
        return unscored(`The target is no box [left, top, right, bottom]: ${quote(targets.join(', '))}.`)
      const point = pointIn(output)
      if (point === null) return judged(false, { answer: null, explanation: 'The output states neither two numbers nor four.' })
      const [x, y] = [point[0] / divisor, point[1] / divisor]
      const isInside = boxes.some(box => box !== null && x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
      const answer = `(${x}, ${y})`
      return judged(isInside, {
        answer,
        explanation: `${answer} is ${isInside ? 'inside' : 'outside'}; the target is ${targets.join(' or ')}.`,
      })
    }
  },
})

function boxIn(text: string): z.infer<typeof Box> | null {
  try {
    return Box.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function pointIn(text: string): readonly [number, number] | null {
  const [a, b, c, d, more] = (text.match(/-?\d+(?:\.\d*)?/g) ?? []).slice(0, 5).map(Number)
  if (a === undefined || b === undefined || more !== undefined) return null
  if (c === undefined) return [a, b]
  return d === undefined ? null : [(a + c) / 2, (b + d) / 2]
}
