/** A complex number. */
export interface Complex {
  readonly re: number
  readonly im: number
}

export function real(re: number): Complex {
  return { re, im: 0 }
}

export function add(a: Complex, b: Complex): Complex {
  return { re: a.re + b.re, im: a.im + b.im }
}

export function multiply(a: Complex, b: Complex): Complex {
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re }
}

export function divide(a: Complex, b: Complex): Complex {
  const square = b.re * b.re + b.im * b.im
  return { re: (a.re * b.re + a.im * b.im) / square, im: (a.im * b.re - a.re * b.im) / square }
}

export function exp({ re, im }: Complex): Complex {
  const size = Math.exp(re)
  return { re: size * Math.cos(im), im: im === 0 ? 0 : size * Math.sin(im) }
}

/** The principal logarithm. */
export function log({ re, im }: Complex): Complex {
  return { re: Math.log(Math.hypot(re, im)), im: Math.atan2(im, re) }
}

/** The principal power; real where base and exponent allow it. */
export function pow(base: Complex, exponent: Complex): Complex {
  if (base.im === 0 && exponent.im === 0) {
    const value = base.re ** exponent.re
    if (!Number.isNaN(value)) return real(value)
  }
  return base.re === 0 && base.im === 0 ? real(0) : exp(multiply(exponent, log(base)))
}

export function size({ re, im }: Complex): number {
  return Math.hypot(re, im)
}

export function isFinite({ re, im }: Complex): boolean {
  return Number.isFinite(re) && Number.isFinite(im)
}
