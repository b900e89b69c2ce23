import { wilsonBand } from '../../charts/wilson-band.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { EstimateFigures } from '../../lib/format/percent.ts'

/** The score of a profile while its run works, with a 95 % Wilson interval where its samples are independent and right or wrong. */
export function soFar(
  { profiles, coverage }: Pick<Run, 'profiles' | 'coverage'>,
  profileId: string,
  score: Pick<EstimateFigures, 'mean' | 'n'> | undefined,
): EstimateFigures {
  const { mean, n } = score ?? { mean: null, n: 0 }
  const primary = profiles.find(({ profile_id }) => profile_id === profileId)?.metrics.find(metric => metric.primary)
  const isProportion = primary?.binary === true && coverage.epochs === 1 && mean !== null
  return { mean, n, interval: isProportion ? wilsonBand(mean, n) : null }
}
