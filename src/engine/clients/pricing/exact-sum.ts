/**
 * Turns exact costs into whole micro-USD whose sum is the exact sum, rounded up once: a call's amount is what it adds to that sum. Each call
 * rounded by itself would make a run of a thousand calls cost up to a thousand micro-USD more than its provider bills.
 * @returns of a cost in 1e-12 USD, the micro-USD to book for it
 */
export function exactSum(): (picoUsd: bigint) => bigint {
  /** Booked beyond the exact sum, in 1e-12 USD; below one micro-USD. */
  let ahead = 0n
  return picoUsd => {
    const due = picoUsd - ahead
    const booked = due <= 0n ? 0n : (due + 999_999n) / 1_000_000n
    ahead += booked * 1_000_000n - picoUsd
    return booked
  }
}
