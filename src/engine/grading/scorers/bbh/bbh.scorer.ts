import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { strip } from '../python/strings.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'

const mark = 'he answer is '

/**
 * The rule behind the published results of BIG-Bench Hard: the rest of the line after the last "the answer is", without one full stop
 * at its end; an output without these words is the answer itself, as under the answer-only prompts.
 */
export const bbhExactMatch = defineScorer({
  id: 'bbh/exact_match',
  version: 1,
  title: 'BIG-Bench Hard exact match',
  description:
    'The text after the last "the answer is", or the whole output where these words are missing, without one full stop at its end, equals a target.',
  options: z.strictObject({}),
  prepare: () => answer,
})

function answer({ output, targets }: { readonly output: string; readonly targets: readonly string[] }) {
  if (targets.length === 0) return unscored('The task has no target to compare with.')
  const at = output.lastIndexOf(mark)
  const found = at < 0 ? { start: 0, text: output } : lineAfter(output, at + mark.length)
  const bare = strip(found.text)
  const text = at >= 0 && bare.endsWith('.') ? strip(bare.slice(0, -1)) : bare
  const start = found.start + found.text.indexOf(text)
  return judged(
    targets.some(target => strip(target) === text),
    {
      answer: text,
      span: { start, end: start + text.length },
      explanation: `The answer is ${quote(text)}; ${describeTargets(targets)}.`,
    },
  )
}

function lineAfter(output: string, start: number): { readonly start: number; readonly text: string } {
  const end = output.indexOf('\n', start)
  return { start, text: output.slice(start, end < 0 ? undefined : end) }
}
