import type { Draw } from '../../../../tasks/draw.ts'

export type Operation = 'addition' | 'subtraction' | 'multiplication' | 'division'

/** One line of a worked solution. */
interface Step {
  /** e.g. `Pencils in all: 3 × 12 = 36` */
  readonly text: string
  readonly operation: Operation
  readonly value: number
}

/** A word problem with its worked solution; the last step's value is the answer. */
export interface Problem {
  readonly question: string
  readonly steps: readonly Step[]
}

/** Tells one story with numbers of its own choice. A story whose numbers do not come out whole is drawn again by the caller. */
export type Template = (draw: Draw) => Problem

/** Does the arithmetic of a story and keeps a record of it, so that solution, answer and step count cannot disagree. */
export class Working {
  readonly steps: Step[] = []

  plus(what: string, first: number, second: number): number {
    return this.record('addition', what, `${first} + ${second}`, first + second)
  }

  minus(what: string, first: number, second: number): number {
    return this.record('subtraction', what, `${first} - ${second}`, first - second)
  }

  times(what: string, first: number, second: number): number {
    return this.record('multiplication', what, `${first} × ${second}`, first * second)
  }

  dividedBy(what: string, first: number, second: number): number {
    return this.record('division', what, `${first} ÷ ${second}`, first / second)
  }

  private record(operation: Operation, what: string, sum: string, value: number): number {
    this.steps.push({ text: `${what}: ${sum} = ${value}`, operation, value })
    return value
  }
}
