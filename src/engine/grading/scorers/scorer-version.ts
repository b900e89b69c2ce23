import { codeScorers } from './code/code-scorers.ts'
import { scorerById, type ScorerSpec } from './registry.ts'

/** What a scorer is called. @throws ScorerConfigError for an unknown one */
export function scorerTitle(id: string): string {
  return codeScorers.get(id)?.title ?? scorerById(id).title
}

/** The version of a scorer whose options were prepared in a thread before. @throws ScorerConfigError for an unknown scorer */
export function preparedVersion({ scorer }: ScorerSpec): number {
  return codeScorers.get(scorer)?.version ?? scorerById(scorer).version
}
