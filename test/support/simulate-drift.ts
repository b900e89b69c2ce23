import { type DriftBounds, newDriftState, watchDrift } from '../../src/engine/statistics/drift-detector.ts'
import { mulberry32 } from '../../src/engine/statistics/random.ts'

export interface DriftSetting {
  readonly bounds: DriftBounds
  readonly runLength: number
  /** Probability that an output passes before the change. */
  readonly before: number
  readonly after: number
  /** Outputs before the change. */
  readonly quiet: number
}

/** Outputs from the change to the first regression alarm, on average; alarms before the change start the detector again, as in the product. */
export function meanDelay(setting: DriftSetting, repetitions: number, seed: number): number {
  const random = mulberry32(seed)
  let sum = 0
  for (let i = 0; i < repetitions; i++) {
    const quiet = Array.from({ length: setting.quiet }, () => (random() < setting.before ? 1 : 0))
    let { state } = watchDrift(newDriftState(), quiet, setting.bounds, setting.runLength)
    for (let delay = 1; ; delay++) {
      const step = watchDrift(state, [random() < setting.after ? 1 : 0], setting.bounds, setting.runLength)
      state = step.state
      if (step.alarms.some(({ kind }) => kind === 'regression')) {
        sum += delay
        break
      }
    }
  }
  return sum / repetitions
}

/** False alarms of one side in streams without drift. @param score draws one; its mean is the floor or the ceiling */
export function falseAlarms(
  { bounds, runLength }: Pick<DriftSetting, 'bounds' | 'runLength'>,
  streams: number,
  length: number,
  score: (at: number, random: () => number) => number,
): { readonly regression: number; readonly improvement: number } {
  const random = mulberry32(20261123)
  const found = { regression: 0, improvement: 0 }
  for (let stream = 0; stream < streams; stream++) {
    const scores = Array.from({ length }, (_, at) => score(at, random))
    for (const { kind } of watchDrift(newDriftState(), scores, bounds, runLength).alarms) found[kind]++
  }
  return found
}
