/**
 * Shares one cap among arms, in micro-USD: each gets what it can cost at most where the cap pays for all, and else its proportion.
 * The shares never add up to more than the cap.
 */
export function shareCap(cap: bigint, bounds: readonly bigint[]): bigint[] {
  const total = sum(bounds)
  return total <= cap ? [...bounds] : bounds.map(bound => (cap * bound) / total)
}

/** The share of one arm, in micro-USD. */
export interface ArmShare {
  readonly cap: bigint
  readonly spent: bigint
  /** What the arm can cost at most. */
  readonly bound: bigint
  /** Its run has ended, so that it spends no more. */
  readonly isEnded: boolean
}

/**
 * Gives what ended arms did not spend to those that continue, in proportion to what each still lacks. Whatever was given before, the shares
 * of open arms and the spending of ended ones never add up to more than the cap.
 * @returns the cap of each arm
 */
export function shareRest(cap: bigint, arms: readonly ArmShare[]): bigint[] {
  const rest = cap - sum(arms.map(arm => (arm.isEnded ? arm.spent : arm.cap)))
  const lacking = arms.map(arm => (arm.isEnded || arm.bound <= arm.cap ? 0n : arm.bound - arm.cap))
  if (rest <= 0n || sum(lacking) === 0n) return arms.map(arm => arm.cap)
  const given = shareCap(rest, lacking)
  return arms.map((arm, i) => arm.cap + (given[i] ?? 0n))
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
