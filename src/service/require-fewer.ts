import { ApiError } from '../contract/errors.ts'
import { formatNumber } from '../lib/format/numbers.ts'

/**
 * Of what causes work again and again, a workspace has so many at most.
 * @param things in the plural
 * @throws ApiError conflict
 */
export function requireFewer(count: number, most: number, things: string, remedy: string): void {
  if (count < most) return
  throw new ApiError(
    'conflict',
    `This workspace has ${formatNumber(count)} ${things}, and at most ${formatNumber(most)} are possible. ${remedy}`,
  )
}
