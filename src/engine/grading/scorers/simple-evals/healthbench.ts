/**
 * HealthBench's score of one answer: the points of the criteria it meets over the points it could gain. Negative points are only
 * ever lost, so the score may be below 0.
 * @returns null when no criterion has positive points
 */
export function healthbenchScore(points: readonly number[], met: readonly boolean[]): number | null {
  const possible = points.filter(point => point > 0).reduce((sum, point) => sum + point, 0)
  const achieved = points.filter((_, i) => met[i]).reduce((sum, point) => sum + point, 0)
  return possible === 0 ? null : achieved / possible
}
