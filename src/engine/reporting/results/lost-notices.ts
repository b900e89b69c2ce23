import type { Results } from '../../../contract/index.ts'
import { type Infrastructure, type JudgeSilence, moduleCount } from '../../grading/scorers/verdict.ts'
import type { ResultSample } from './result-sample.ts'

type Code = `${Infrastructure}_lost` | JudgeSilence | 'world_error'

/** Why there is no verdict and what gives one, after "3 of 10 answers have no verdict because". */
const words: Readonly<Record<Code, string>> = {
  sandbox_lost: lostWhileGrading('the sandbox'),
  grader_lost: lostWhileGrading('the grading thread'),
  judge_lost: didNotAnswer('a judge', 'regrade the run by the evaluator once it answers'),
  scorer_lost: didNotAnswer('a remote scorer', 'regrade the run by the evaluator once it answers'),
  world_error:
    'their world failed: a tool’s function threw, or a tool has no result for a call. They are unscored, not wrong; the samples name the tool.',
  judge_unpaid: 'the spending limit left nothing for their judge. They are unscored, not wrong; raise the limit and regrade the run.',
  judge_answer_missing:
    'their judge wrote reasoning and no verdict. Set an effort for the judge in the evaluator, which allows more output tokens: reasoning counts toward the limit.',
  judge_unclear:
    'their judge’s reply gave none of the verdicts, or more than one. The samples show the replies; state the verdicts more plainly in the evaluator.',
}

function lostWhileGrading(what: string): string {
  return `${what} was lost twice while grading. They are unscored, not wrong; regrade the run to score them.`
}

function didNotAnswer(who: string, remedy: string): string {
  return `${who} did not answer, also when called again. They are unscored, not wrong; ${remedy}.`
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
      for (const code of Object.keys(words))
        if (scores.some(score => score.value === null && score.counts?.[code])) counts.set(code, (counts.get(code) ?? 0) + 1)
    },
    notices: () => [
      ...Object.entries(words).flatMap(([code, why]) => {
        const count = counts.get(code) ?? 0
        return count === 0 ? [] : [{ code, message: `${count} of ${samples} answers have no verdict because ${why}` }]
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
  return `${count} of ${samples} answers have no verdict because their code uses a module that the sandbox lacks: ${named.join(', ')}. They are unscored, not wrong. Install a Python module by the system’s package manager (Linux) and regrade the run; JavaScript runs without packages and without Node’s library.`
}
