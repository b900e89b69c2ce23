import type { Results } from '../../../contract/index.ts'
import { type Infrastructure, moduleCount } from '../../grading/scorers/verdict.ts'
import type { ResultSample } from './result-sample.ts'

const names: Readonly<Record<Infrastructure, string>> = {
  sandbox: 'the sandbox',
  grader: 'the grading thread',
  judge: 'a judge',
  scorer: 'a remote scorer',
}

/**
 * Counts samples whose verdict was lost to infrastructure, those whose code needs a module that the sandbox lacks, and those that have
 * none for a reason of their scorer's.
 */
export function createLossCount(): { add(sample: ResultSample): void; notices(): Results['notices'] } {
  const counts = new Map<string, number>()
  const reasons = new Map<string, number>()
  const modules = new Map<string, number>()
  let samples = 0
  let withoutModule = 0
  return {
    add: ({ status, scores }) => {
      if (status === 'scored') samples++
      const open = scores.filter(({ value, code, counts: added }) => value === null && code && !added)
      for (const code of new Set(open.flatMap(({ code: each }) => each ?? []))) reasons.set(code, (reasons.get(code) ?? 0) + 1)
      const missing = new Set(
        scores.flatMap(({ value, counts: own }) =>
          value === null ? Object.keys(own ?? {}).filter(key => key.startsWith(moduleCount)) : [],
        ),
      )
      if (missing.size > 0) withoutModule++
      for (const key of missing) modules.set(key, (modules.get(key) ?? 0) + 1)
      for (const what of Object.keys(names)) {
        const code = `${what}_lost`
        if (scores.some(score => score.value === null && score.counts?.[code])) counts.set(code, (counts.get(code) ?? 0) + 1)
      }
    },
    notices: () => [
      ...Object.entries(names).flatMap(([what, name]) => {
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
      ...(reasons.size === 0 ? [] : [{ code: 'unscored_reasons', message: describeReasons(reasons, samples) }]),
      ...(withoutModule === 0 ? [] : [{ code: 'missing_module', message: describeModules(modules, withoutModule, samples) }]),
    ],
  }
}

/** Codes named; scorers can give any number. */
const mostNamed = 8

function describeReasons(reasons: ReadonlyMap<string, number>, samples: number): string {
  const sorted = [...reasons].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const named = sorted.slice(0, mostNamed).map(([code, count]) => `${code} (${count})`)
  const more = sorted.length > mostNamed ? `, and ${sorted.length - mostNamed} other reasons` : ''
  return `Of ${samples} answers, scorers left some without a verdict: ${named.join(', ')}${more}.`
}

function describeModules(modules: ReadonlyMap<string, number>, count: number, samples: number): string {
  const named = [...modules].sort(([, a], [, b]) => b - a).map(([key, times]) => `${key.slice(moduleCount.length)} (${times})`)
  return `${count} of ${samples} answers have no verdict because their code uses a module that the sandbox lacks: ${named.join(', ')}. They are unscored, not wrong; install it for the Python that the sandbox uses and regrade the run.`
}
