/** The text is not an expression that can be evaluated here, or Python raises on it. */
export class NotEvaluated extends Error {
  override readonly name = 'NotEvaluated'
}

export function refuse(): never {
  throw new NotEvaluated()
}

/** Items or characters that a value may have. */
export const mostItems = 100_000

/** Items that all operations together may go through: about a second. */
const mostWork = 1_000_000
let work = 0
/** Calls of lambdas within each other. */
const deepestCall = 50
let calls = 0

/** Evaluation is synchronous, so that one count serves them all. */
export function startWork(): void {
  work = 0
  calls = 0
}

/** @throws NotEvaluated once it is too much */
export function addWork(items: number): void {
  work += items + 1
  if (work > mostWork) throw new NotEvaluated()
}

/** @throws NotEvaluated where too many are within each other */
export function deeper<Result>(call: () => Result): Result {
  if (++calls > deepestCall) throw new NotEvaluated()
  addWork(20)
  const result = call()
  calls--
  return result
}
