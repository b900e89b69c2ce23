/** Level of a two-sided test with its z_{1-α/2}. */
interface TestLevel {
  readonly alpha: number
  readonly z: number
}

const usualLevel: TestLevel = { alpha: 0.05, z: 1.959963984540054 }
const usualPower = 0.8
const zPower = 0.8416212335729143
/** Above this many expected discordant tasks a normal approximation with continuity correction agrees within 0.0003. */
const mostExact = 250
/** Terms of a sum below it change no digit that is shown. */
const negligible = 1e-12
/** Of the difference: a thousandth of a point. */
const tolerance = 1e-5

/** One way in which the tasks can come out: how many are discordant, and how likely that is. */
interface Outcome {
  readonly discordant: number
  readonly probability: number
  /** The exact test rejects where one model has at most so many of the discordant tasks; -1: never. */
  readonly critical: number
}

/**
 * The smallest true difference, in (0, 1], that the exact McNemar test finds four times in five. Null where it would miss even the
 * largest.
 * @param discordant probability that exactly one of the two models passes a task, given the true difference
 * @param largest difference to look for
 * @param level two-sided 5 % unless given
 */
export function mcnemarDetectableDifference(
  tasks: number,
  discordant: (difference: number) => number,
  { largest = 1, level = usualLevel }: { readonly largest?: number; readonly level?: TestLevel } = {},
): number | null {
  if (!(tasks > 0)) return null
  const found = (difference: number): boolean => {
    const share = Math.min(1, Math.max(discordant(difference), difference))
    return tasks * share > mostExact
      ? isFoundNormally(tasks, share, difference, level)
      : exactPower(tasks, share, difference, level.alpha) >= usualPower
  }
  if (!found(largest)) return null
  let [missed, enough] = [0, largest]
  while (enough - missed > tolerance) {
    const middle = (missed + enough) / 2
    if (found(middle)) enough = middle
    else missed = middle
  }
  return enough
}

/** Connor 1987, unconditional, with the continuity correction of one task: nδ - 1 = z_{α/2} √(n p_d) + z_β √(n (p_d - δ²)). */
function isFoundNormally(tasks: number, discordant: number, difference: number, { z }: TestLevel): boolean {
  const spread = Math.sqrt(tasks * Math.max(0, discordant - difference ** 2))
  return tasks * difference - 1 >= z * Math.sqrt(tasks * discordant) + zPower * spread
}

/** Probability that the exact test rejects, over all numbers of discordant tasks and all ways to divide them. */
export function exactPower(tasks: number, discordant: number, difference: number, alpha = usualLevel.alpha): number {
  const share = discordant === 0 ? 0.5 : Math.min(1, (discordant + difference) / (2 * discordant))
  let power = 0
  for (const { discordant: count, probability, critical } of outcomesOf(tasks, discordant, alpha)) {
    power += probability * (lowerTail(critical, count, share) + lowerTail(critical, count, 1 - share))
  }
  return power
}

function outcomesOf(tasks: number, discordant: number, alpha: number): Outcome[] {
  const mean = tasks * discordant
  const reach = 7 * Math.sqrt(mean * (1 - discordant)) + 3
  const outcomes: Outcome[] = []
  for (let count = Math.max(0, Math.floor(mean - reach)); count <= Math.min(tasks, mean + reach); count++) {
    const probability = probabilityOf(count, tasks, discordant)
    if (probability > negligible) outcomes.push({ discordant: count, probability, critical: criticalOf(count, alpha) })
  }
  return outcomes
}

/** By level and count; the counts of the exact test are few. */
const criticals = new Map<string, number>()

/** Most tasks that one model may have of `count` discordant ones for 2 P(X <= k) <= α at even odds. */
function criticalOf(count: number, alpha: number): number {
  const key = `${alpha} ${count}`
  const known = criticals.get(key)
  if (known !== undefined) return known
  let critical = -1
  for (let sum = 0; critical < count; critical++) {
    sum += probabilityOf(critical + 1, count, 0.5)
    if (2 * sum > alpha) break
  }
  criticals.set(key, critical)
  return critical
}

/** P(X <= k) of n trials; the terms fall fast below the mean, which k stays under where it matters. */
function lowerTail(k: number, n: number, p: number): number {
  if (k < 0) return 0
  let sum = 0
  for (let i = k; i >= 0; i--) {
    const term = probabilityOf(i, n, p)
    sum += term
    if (i < n * p && term < negligible) break
  }
  return Math.min(1, sum)
}

const logFactorials = [0]

function logFactorial(n: number): number {
  for (let i = logFactorials.length; i <= n; i++) logFactorials.push((logFactorials[i - 1] ?? 0) + Math.log(i))
  return logFactorials[n] ?? 0
}

/** Probability of exactly k of n trials. */
function probabilityOf(k: number, n: number, p: number): number {
  if (p <= 0) return k === 0 ? 1 : 0
  if (p >= 1) return k === n ? 1 : 0
  return Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k) + k * Math.log(p) + (n - k) * Math.log1p(-p))
}
