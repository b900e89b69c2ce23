import type { Results } from '../../../contract/index.ts'
import type { Infrastructure } from '../../grading/scorers/verdict.ts'
import type { ResultSample } from './result-sample.ts'

const names: Readonly<Record<Infrastructure, string>> = {
  sandbox: 'the sandbox',
  grader: 'the grading thread',
  judge: 'a judge',
  scorer: 'a remote scorer',
}

/** Counts samples whose verdict was lost to infrastructure. */
export function createLossCount(): { add(sample: ResultSample): void; notices(): Results['notices'] } {
  const counts = new Map<string, number>()
  let samples = 0
  return {
    add: ({ status, scores }) => {
      if (status === 'scored') samples++
      for (const what of Object.keys(names)) {
        const code = `${what}_lost`
        if (scores.some(score => score.value === null && score.counts?.[code])) counts.set(code, (counts.get(code) ?? 0) + 1)
      }
    },
    notices: () =>
      Object.entries(names).flatMap(([what, name]) => {
        const code = `${what}_lost`
        const count = counts.get(code) ?? 0
        return count === 0
          ? []
          : [
              {
                code,
                message: `${count} of ${samples} answers have no verdict because ${name} was lost twice while grading. They are unscored, not wrong; regrade the run to score them.`,
              },
            ]
      }),
  }
}
