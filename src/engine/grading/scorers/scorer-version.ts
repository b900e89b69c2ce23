import { codeScorers, prepareCodeScorer } from './code/code-scorers.ts'
import { prepareScorer, scorerById, type ScorerSpec } from './registry.ts'

/** What a scorer is called. @throws ScorerConfigError for an unknown one */
export function scorerTitle(id: string): string {
  return codeScorers.get(id)?.title ?? scorerById(id).title
}

/** The version of a scorer whose options were prepared in a thread before. @throws ScorerConfigError for an unknown scorer */
export function preparedVersion({ scorer }: ScorerSpec): number {
  return codeScorers.get(scorer)?.version ?? scorerById(scorer).version
}

/**
 * The version of a scorer, whether it is pure or runs code, once its options were found good.
 * @throws ScorerConfigError for an unknown scorer or options that do not fit
 */
export function scorerVersion(spec: ScorerSpec): number {
  const code = codeScorers.get(spec.scorer)
  if (code) {
    prepareCodeScorer(spec)
    return code.version
  }
  prepareScorer(spec)
  return scorerById(spec.scorer).version
}
