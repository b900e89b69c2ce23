import type { Results } from '../../../contract/runs/results.schemas.ts'
import { type Infrastructure, type JudgeSilence, moduleCount, newerCount } from '../../grading/scorers/verdict.ts'
import type { ResultSample } from './result-sample.ts'

type Code = `${Infrastructure}_lost` | JudgeSilence | 'world_error'

/** Why there is no verdict and what gives one, after "3 of 10 answers have no verdict because". */
const words: Readonly<Record<Code, string>> = {
  sandbox_lost: lostWhileGrading('the sandbox'),
  grader_lost: lostWhileGrading('the grading thread'),
  judge_lost: didNotAnswer('a judge', 'regrade the run by the evaluator once it answers'),
  embedding_lost: didNotAnswer('an embedding model', 'regrade the run by the evaluator once it answers'),
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
 * Counts samples whose verdict was lost to infrastructure, those whose code needs a module or a version of Python that the sandbox
 * lacks, and those that have none for a reason of their scorer's.
 */
export function createLossCount(): { add(sample: ResultSample): void; notices(): Results['notices'] } {
  const counts = new Map<string, number>()
  const reasons = new Map<string, number>()
  const modules = createLackCount(moduleCount)
  const versions = createLackCount(newerCount)
  let samples = 0
  return {
    add: ({ status, scores }) => {
      if (status === 'scored') samples++
      const open = scores.filter(({ value, code, counts: added }) => value === null && code && !added)
      for (const code of new Set(open.flatMap(({ code: each }) => each ?? []))) reasons.set(code, (reasons.get(code) ?? 0) + 1)
      modules.add(scores)
      versions.add(scores)
      for (const code of Object.keys(words))
        if (scores.some(score => score.value === null && score.counts?.[code])) counts.set(code, (counts.get(code) ?? 0) + 1)
    },
    notices: () => [
      ...Object.entries(words).flatMap(([code, why]) => {
        const count = counts.get(code) ?? 0
        return count === 0 ? [] : [{ code, message: `${count} of ${samples} answers have no verdict because ${why}` }]
      }),
      ...(reasons.size === 0 ? [] : [{ code: 'unscored_reasons', message: describeReasons(reasons, samples) }]),
      ...modules.notices('missing_module', named => describeModules(named, modules.samples(), samples)),
      ...versions.notices(
        'newer_python',
        named =>
          `${versions.samples()} of ${samples} answers have no verdict because their code needs a newer Python than the sandbox has: ${named}. They are unscored, not wrong. Install that version as the system’s "python3" (Linux) and regrade the run.`,
      ),
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

/** Samples by what their code needs and the sandbox lacks, which their scores count under a prefix. */
function createLackCount(prefix: string) {
  const lacks = new Map<string, number>()
  let samples = 0
  return {
    add: (scores: ResultSample['scores']) => {
      const keys = new Set(
        scores.flatMap(({ value, counts }) => (value === null ? Object.keys(counts ?? {}).filter(key => key.startsWith(prefix)) : [])),
      )
      if (keys.size > 0) samples++
      for (const key of keys) lacks.set(key, (lacks.get(key) ?? 0) + 1)
    },
    samples: () => samples,
    notices: (code: string, describe: (named: string) => string): Results['notices'] => {
      const sorted = [...lacks].sort(([, a], [, b]) => b - a)
      return samples === 0 ? [] : [{ code, message: describe(sorted.map(([key, n]) => `${key.slice(prefix.length)} (${n})`).join(', ')) }]
    },
  }
}

function describeModules(named: string, count: number, samples: number): string {
  return `${count} of ${samples} answers have no verdict because their code uses a module that the sandbox lacks: ${named}. They are unscored, not wrong. Install a Python module by the system’s package manager (Linux) and regrade the run; JavaScript runs without packages and without Node’s library.`
}
