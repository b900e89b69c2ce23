/** Milliseconds that code may take before anything is known of its reference: evalplus's least limit. */
export const leastLimit = 4_000
/** The longest a task may take, whatever its reference does. */
export const longestLimit = 60_000
/** How much longer than the reference a candidate may take. */
export const factor = 4

/** evalplus's limit for one test: four times the reference, measured on this machine and in this sandbox, and at least four seconds. */
export function limitFor(referenceMs: number): number {
  return Math.max(leastLimit, factor * referenceMs)
}
