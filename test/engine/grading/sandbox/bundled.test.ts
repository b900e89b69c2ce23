import { describe, expect, test } from 'vitest'
import { bundledBenchmarks } from '../../../../src/engine/content/benchmarks/bundled-benchmarks.ts'
import { codeScorers, prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import type { Score } from '../../../../src/engine/grading/scorers/scorer.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'
import { everySandbox, inScope } from '../../../support/sandbox-scope.ts'
import { useSandbox } from './sandboxed.ts'

const python = useSandbox()
const javascript = useSandbox('javascript')
const coded = bundledBenchmarks().flatMap(({ definition, content }) => {
  const [metric] = definition.profiles.flatMap(profile =>
    profile.metrics.filter(({ primary, scorer }) => primary && codeScorers.has(scorer)),
  )
  return metric ? [{ slug: definition.slug, tasks: content().tasks, metric }] : []
})

test('there is one for each runner that runs code', () => expect(coded).toHaveLength(5))

describe.each(coded)('$slug', ({ slug, tasks, metric }) => {
  test(`scores ${everySandbox ? 'all' : 'some of the'} reference answers 1 and wrong answers 0`, async () => {
    // A program in JavaScript takes a Node of its own, so fewer of them are run where not all are.
    const few = (of: readonly Task[]) => (slug.startsWith('javascript') ? inScope(inScope(inScope(of))) : inScope(of))
    const grade = prepareCodeScorer({ scorer: metric.scorer, options: metric.options }, { python: python(), javascript: javascript() })
    const outcomes = await Promise.all(
      few(tasks).map(
        async task => [task.id, await score(grade, task, 'reference_output'), await score(grade, task, 'wrong_output')] as const,
      ),
    )
    const failures = outcomes.filter(([, right, wrong]) => right.value !== 1 || wrong.value !== 0)
    expect(failures.map(([id, right, wrong]) => `${id}: ${right.explanation} / ${wrong.explanation}`)).toEqual([])
  })
})

function score(grade: ReturnType<typeof prepareCodeScorer>, { metadata }: Task, name: string): Promise<Score> {
  return grade({ output: String(metadata[name]), targets: [], metadata })
}
