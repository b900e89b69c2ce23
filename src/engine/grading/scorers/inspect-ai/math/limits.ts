import { MathLimitError, MathUnsafeError } from './errors.ts'

const codeShaped =
  /__|\b(?:breakpoint|compile|eval|exec|getattr|globals|import|locals|open|setattr)\s{0,8}\(|\b(?:builtins|os|pathlib|subprocess|sys)\s{0,8}\./

/**
 * Inspect's limits.
 * @throws MathLimitError
 * @throws MathUnsafeError for program code
 */
export function checkLimits(candidate: string): void {
  if (candidate.length > 4096) throw new MathLimitError('the expression has more than 4,096 characters')
  if (codeShaped.test(candidate)) throw new MathUnsafeError('the expression contains program code')
  if (hasTowerOfPowers(candidate)) throw new MathLimitError('the expression has an exponent in an exponent')
  const digitRuns = candidate.match(/\d+/g) ?? []
  if (digitRuns.some(run => run.length > 256)) throw new MathLimitError('a number has more than 256 digits')
  if (digitRuns.join('').length > 2048) throw new MathLimitError('the expression has more than 2,048 digits')
  if (count(candidate, /\\[A-Za-z]+/g) > 256) throw new MathLimitError('the expression has more than 256 commands')
  if (count(candidate, /[-+*/^=!<>]/g) > 1024) throw new MathLimitError('the expression has more than 1,024 operators')
  if ((count(candidate, /\\\\/g) + 1) * (count(candidate, /&/g) + 1) > 256) throw new MathLimitError('the matrix has more than 256 cells')
  let open = 0
  for (const bracket of candidate.match(/[()[\]{}]/g) ?? []) {
    open = '([{'.includes(bracket) ? open + 1 : Math.max(0, open - 1)
    if (open > 64) throw new MathLimitError('the expression is nested more than 64 deep')
  }
}

/** Whether an exponent in braces holds another exponent and no letters. */
function hasTowerOfPowers(candidate: string): boolean {
  return /\^\s{0,8}\{[^A-Za-z{}]*\^[^A-Za-z}]*/.test(candidate)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
