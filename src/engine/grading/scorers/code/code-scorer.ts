import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Language } from '../../sandbox/tier.ts'
import type { Score, ScoreInput, ScorerDescription } from '../scorer.ts'

/** A scorer that runs what the model wrote, and so needs a sandbox and time. Its tests come from the task's metadata. */
export interface CodeScorer<Options = unknown> extends ScorerDescription<Options> {
  /** What the code that it runs is written in. */
  language(options: Options): Language
  /** @param sandbox for that language */
  grade(input: ScoreInput, options: Options, sandbox: Sandbox): Promise<Score>
}
