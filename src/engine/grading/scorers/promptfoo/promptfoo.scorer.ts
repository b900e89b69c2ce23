import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { Scorer } from '../scorer.ts'
import { graded, judged, unscored } from '../verdict.ts'
import { assertions, inverse } from './assertions.ts'
import { testCase } from './test-case.scorer.ts'

const options = z.strictObject({
  /** The assertion's value; without it the first target of the task, except of types that need none. */
  value: z.unknown().optional(),
  threshold: z.number().optional(),
})

/** Types that say something else of some outputs than in version 2 of the family. */
const changed = new Set(['contains-any', 'icontains-any', 'contains-all', 'icontains-all', 'tool-call-f1', 'is-json'])
/** Types that take no value by themselves. */
const bare = new Set(['is-json', 'contains-json'])

type Options = z.output<typeof options>

/** An assertion type and its negation, as two scorers, and a whole test case. */
export const promptfooScorers: readonly Scorer[] = [
  ...Object.keys(assertions).flatMap(type => [promptfoo(type, false), promptfoo(type, true)]),
  testCase,
]

function promptfoo(type: string, isInverse: boolean): Scorer<Options> {
  const name = isInverse ? `not-${type}` : type
  return defineScorer({
    id: `promptfoo/${name}`,
    version: changed.has(type) ? 3 : 2,
    title: `promptfoo ${name}`,
    description: `The promptfoo assertion "${name}". Its value and threshold are options${bare.has(type) ? '' : '; a task’s first target serves where no value is given'}.`,
    options,
    prepare({ value, threshold }) {
      const make = assertions[type]
      const fixed = value === undefined && !bare.has(type) ? null : make?.({ value, threshold })
      return ({ output, targets }) => {
        const [target] = targets
        const check = fixed ?? (target === undefined ? null : make?.({ value: target, threshold }))
        if (!check) return unscored('The assertion has no value and the task no target.')
        const result = isInverse ? inverse(check(output)) : check(output)
        const explanation = `The assertion ${name} ${result.pass ? 'passes' : 'fails'}.`
        const isGraded = result.score > 0 && result.score < 1
        return isGraded
          ? graded(result.score, { answer: output, explanation, values: { pass: result.pass ? 1 : 0 } })
          : judged(result.pass, { answer: output, explanation, values: { pass: result.pass ? 1 : 0 } })
      }
    },
  })
}
