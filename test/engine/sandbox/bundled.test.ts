import { describe, expect, it } from 'vitest'
import { bundledBenchmarks } from '../../../src/engine/benchmarks/bundled/bundled.ts'
import { codeScorers, prepareCodeScorer } from '../../../src/engine/scorers/code/code-scorers.ts'
import type { Score } from '../../../src/engine/scorers/scorer.ts'
import type { Task } from '../../../src/engine/tasks/task.ts'
import { everySandbox, inScope } from '../../support/sandbox-scope.ts'
import { useSandbox } from './sandboxed.ts'

const sandbox = useSandbox()
const coded = bundledBenchmarks.flatMap(({ definition, generate }) => {
  const [metric] = definition.profiles.flatMap(profile =>
    profile.metrics.filter(({ primary, scorer }) => primary && codeScorers.has(scorer)),
  )
  return metric ? [{ slug: definition.slug, tasks: generate().tasks, metric }] : []
})

it('there is one for each runner that runs code', () => expect(coded).toHaveLength(4))

describe.each(coded)('$slug', ({ tasks, metric }) => {
  it(`scores ${everySandbox ? 'every' : 'each fourth'} reference answer 1 and wrong answer 0`, { timeout: 180_000 }, async () => {
    const grade = prepareCodeScorer({ scorer: metric.scorer, options: metric.options }, { python: sandbox(), javascript: null })
    const outcomes = await Promise.all(
      inScope(tasks).map(
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
