/**
 * The x in [low, high] with cdf(x) = p, for an increasing cdf: Newton steps, each kept inside the bracket that earlier steps
 * have left, with a bisection where Newton would leave it or slows down. Ends at the precision of double numbers.
 *
 * @param pdf the derivative of `cdf`; only the speed depends on it.
 */
export function invert(
  cdf: (x: number) => number,
  pdf: (x: number) => number,
  p: number,
  bracket: { readonly low: number; readonly high: number; readonly start: number },
): number {
  let { low, high } = bracket
  let x = bracket.start
  let previousStep = high - low
  for (let iteration = 0; iteration < 1100; iteration++) {
    const error = cdf(x) - p
    if (error === 0) return x
    if (error < 0) low = x
    else high = x
    const newton = x - error / pdf(x)
    const middle = low + (high - low) / 2
    const next = newton > low && newton < high && Math.abs(newton - x) < previousStep / 2 ? newton : middle
    if (next === x || next <= low || next >= high) return next
    previousStep = Math.abs(next - x)
    if (previousStep <= Math.abs(x) * 1e-16) return next
    x = next
  }
  return x
}
