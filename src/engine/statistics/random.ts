import { logGamma } from './distributions/gamma.ts'
import { normalQuantile } from './distributions/normal.ts'

/** A source of numbers in [0, 1). Given, never global, so that every result can be had again. */
export type Random = () => number

/**
 * mulberry32: numbers in [0, 1) that are multiples of 2^-32, the same on every platform for the same seed.
 *
 * @param seed taken modulo 2^32.
 * Source: T. Ettinger, mulberry32 (public domain).
 */
export function mulberry32(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One draw from the standard normal distribution, by inversion. */
export function drawNormal(random: Random): number {
  // half a step up, for 0 has no quantile
  return normalQuantile(random() + 2 ** -33)
}

/**
 * One draw of the number of successes in `trials` independent trials of probability `p`, in time that does not grow with `trials`.
 *
 * Inversion for a small expected count; otherwise BTRS, transformed rejection with squeeze.
 * Source: W. Hörmann, "The generation of binomial random variates", J. Stat. Comput. Simul. 46 (1993).
 */
export function drawBinomial(trials: number, p: number, random: Random): number {
  if (trials === 0 || p <= 0) return 0
  if (p >= 1) return trials
  if (p > 0.5) return trials - drawBinomial(trials, 1 - p, random)
  return trials * p < 10 ? drawByInversion(trials, p, random) : drawByRejection(trials, p, random)
}

function drawByInversion(trials: number, p: number, random: Random): number {
  const odds = p / (1 - p)
  let probability = Math.exp(trials * Math.log1p(-p))
  let left = random()
  let successes = 0
  while (left >= probability && successes < trials) {
    left -= probability
    successes++
    probability *= (odds * (trials - successes + 1)) / successes
  }
  return successes
}

function drawByRejection(trials: number, p: number, random: Random): number {
  const spread = Math.sqrt(trials * p * (1 - p))
  const b = 1.15 + 2.53 * spread
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const c = trials * p + 0.5
  const squeeze = 0.92 - 4.2 / b
  for (;;) {
    const u = random() - 0.5
    const v = random()
    const us = 0.5 - Math.abs(u)
    const successes = Math.floor(((2 * a) / us + b) * u + c)
    if (us >= 0.07 && v <= squeeze) return successes
    if (successes < 0 || successes > trials) continue
    const mode = Math.floor((trials + 1) * p)
    const scaled = Math.log((v * (2.83 + 5.1 / b) * spread) / (a / (us * us) + b))
    const density =
      logGamma(mode + 1) +
      logGamma(trials - mode + 1) -
      logGamma(successes + 1) -
      logGamma(trials - successes + 1) +
      (successes - mode) * Math.log(p / (1 - p))
    if (scaled <= density) return successes
  }
}
