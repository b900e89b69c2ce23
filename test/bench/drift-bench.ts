import { falseAlarms, meanDelay } from '../support/simulate-drift.ts'

const runLength = 10_000
const streams = 10

/** The drift detector of monitors: false alarms in streams without drift beside the most that are promised, and delays after a fall. */
export function benchDrift(outputs: number): void {
  const promised = (outputs / runLength) * streams
  const found = falseAlarms({ bounds: { floor: 0.8, ceiling: 0.8 }, runLength }, streams, outputs, (_, random) => (random() < 0.8 ? 1 : 0))
  console.log(`${streams} streams of ${outputs} outputs without drift, one false alarm in ${runLength} outputs promised at most`)
  console.log('| side | promised at most | seen |\n|---|---|---|')
  for (const [side, seen] of Object.entries(found)) console.log(`| ${side} | ${promised} | ${seen} |`)
  console.log('\n| floor | pass rate falls from 80 % to | outputs until the alarm |\n|---|---|---|')
  for (const floor of [0.8, 0.78])
    for (const after of [0.7, 0.6]) {
      const delay = meanDelay({ bounds: { floor, ceiling: 1 }, runLength, before: 0.8, after, quiet: 300 }, 2000, 7)
      console.log(`| ${floor} | ${after * 100} % | ${delay.toFixed(0)} |`)
    }
}
