/** A float of Python without a fraction, which prints as `1.0`; other floats are numbers of JavaScript. */
export class WholeFloat {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toJSON(): number {
    return this.value
  }
}

/** A number as a float of Python. */
export function pythonFloat(value: number): number | WholeFloat {
  return Number.isInteger(value) ? new WholeFloat(value) : value
}

/** The number of a float; any other value as it is. */
export function plainNumber(value: unknown): unknown {
  return value instanceof WholeFloat ? value.value : value
}
