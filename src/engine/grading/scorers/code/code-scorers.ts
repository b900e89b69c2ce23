import { describeFirst } from '../../../../contract/describe-issue.ts'
import { noSandboxes, type Sandboxes } from '../../sandbox/sandbox.ts'
import { SandboxLostError } from '../../sandbox/sandbox-process.ts'
import type { Language } from '../../sandbox/tier.ts'
import { ScorerConfigError } from '../config-error.ts'
import type { Score, ScoreInput } from '../scorer.ts'
import { lost, unscored } from '../verdict.ts'
import type { CodeScorer } from './code-scorer.ts'
import { evalplusBase, evalplusPlus } from './evalplus.scorer.ts'
import { livecodebenchAllTests } from './livecodebench.scorer.ts'
import { promptfooTest } from './promptfoo-test.scorer.ts'
import { spreadsheetHard, spreadsheetSoft } from './spreadsheet.scorer.ts'
import { birdExecution, spiderExecution } from './sql-execution.scorer.ts'
import { messageOf } from '../../../../lib/message-of.ts'

/** Scorers that run model-written code, by id. They need a sandbox, and so are kept apart from the pure scorers. */
export const codeScorers: ReadonlyMap<string, CodeScorer> = new Map(
  [evalplusBase, evalplusPlus, livecodebenchAllTests, promptfooTest, spreadsheetHard, spreadsheetSoft, spiderExecution, birdExecution].map(
    scorer => [scorer.id, scorer],
  ),
)

interface Spec {
  readonly scorer: string
  readonly options?: unknown
}

/**
 * A code scorer with its options parsed. What it returns never rejects: a failure inside makes that one output unscored.
 * @param sandboxes those of this machine: without the one that is needed nothing is run, and nothing is scored
 * @throws ScorerConfigError for an unknown scorer or options that its schema refuses
 */
export function prepareCodeScorer(spec: Spec, sandboxes: Sandboxes = noSandboxes): (input: ScoreInput) => Promise<Score> {
  const { scorer, options } = resolve(spec)
  const sandbox = sandboxes[scorer.language(options)]
  return async input => {
    if (!sandbox) return unscored('There is no sandbox for it on this machine, so the code was not run.')
    try {
      return await scorer.grade(input, options, sandbox)
    } catch (error) {
      if (error instanceof SandboxLostError)
        return lost('sandbox', `The sandbox was lost twice while it ran this code, so there is no verdict. Regrade it. ${error.message}`)
      return unscored(`The scorer ${scorer.id} failed on this output: ${messageOf(error)}`)
    }
  }
}

/** The languages of the code that these metrics run; none where they run none. */
export function codeLanguages(metrics: readonly Spec[]): Language[] {
  const languages = metrics
    .filter(({ scorer }) => codeScorers.has(scorer))
    .map(spec => {
      const { scorer, options } = resolve(spec)
      return scorer.language(options)
    })
  return [...new Set(languages)]
}

function resolve({ scorer: id, options }: Spec): { readonly scorer: CodeScorer; readonly options: unknown } {
  const scorer = codeScorers.get(id)
  if (!scorer) throw new ScorerConfigError(`There is no code scorer ${JSON.stringify(id)}.`)
  const parsed = scorer.options.safeParse(options ?? {})
  if (!parsed.success) throw new ScorerConfigError(`Correct the options of ${id}: ${describeFirst(parsed.error.issues, '"options"')}.`)
  return { scorer, options: parsed.data }
}
