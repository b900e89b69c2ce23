import { z } from 'zod'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { ScorerConfigError } from '../config-error.ts'
import type { Score, ScoreInput } from '../scorer.ts'
import { unscored } from '../verdict.ts'
import type { CodeScorer } from './code-scorer.ts'
import { evalplusBase, evalplusPlus } from './evalplus.scorer.ts'
import { livecodebenchAllTests } from './livecodebench.scorer.ts'
import { spreadsheetHard, spreadsheetSoft } from './spreadsheet.scorer.ts'

/** Scorers that run model-written code, by id. They need a sandbox, and so stand apart from those that are pure. */
export const codeScorers: ReadonlyMap<string, CodeScorer> = new Map(
  [evalplusBase, evalplusPlus, livecodebenchAllTests, spreadsheetHard, spreadsheetSoft].map(scorer => [scorer.id, scorer]),
)

/**
 * A code scorer with its options parsed. What it returns never rejects: a failure inside makes that one output unscored.
 * @param sandbox null where this machine has none: nothing is run, and nothing is scored
 * @throws ScorerConfigError for an unknown scorer or options that its schema refuses
 */
export function prepareCodeScorer(
  { scorer: id, options }: { readonly scorer: string; readonly options?: unknown },
  sandbox: Sandbox | null,
): (input: ScoreInput) => Promise<Score> {
  const scorer = codeScorers.get(id)
  if (!scorer) throw new ScorerConfigError(`There is no code scorer ${JSON.stringify(id)}.`)
  const parsed = scorer.options.safeParse(options ?? {})
  if (!parsed.success)
    throw new ScorerConfigError(`The options of ${id} are not valid: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`)
  return async input => {
    if (!sandbox) return unscored('There is no sandbox on this machine, so the code was not run.')
    try {
      return await scorer.grade(input, parsed.data, sandbox)
    } catch (error) {
      return unscored(`The scorer ${id} failed on this output: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
