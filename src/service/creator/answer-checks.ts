import type { PackageCheck } from '../../contract/creator/packages.schemas.ts'
import { checkReference, type ReferenceScore } from '../../engine/importing/packages/checks/reference.ts'
import { checkTrivialAnswers, type TrivialScore } from '../../engine/importing/packages/checks/trivial-answers.ts'
import { checkResult, type CheckResult } from '../../engine/importing/packages/package-task.ts'
import type { AnswerKind } from '../../workers/packages-task.ts'
import { distinctProfiles, scoreAnswers, type ScoredAnswer, type ScoredPackage, type ScoringWorkers } from './score-answers.ts'

/** The checks that score answers, in every profile of a package. */
export const answerChecks = {
  trivial_answers: checkTrivial,
  reference: checkReferences,
  determinism: checkDeterminism,
} as const satisfies Partial<Record<PackageCheck, (workers: ScoringWorkers, of: ScoredPackage) => Promise<CheckResult>>>

interface ProfileScores {
  /** Its place in the manifest. */
  readonly profile: number
  readonly key: string
  readonly scores: readonly ScoredAnswer[]
}

/** Scores of one answer in each profile where they can differ. */
async function* inProfiles(workers: ScoringWorkers, of: ScoredPackage, answer: AnswerKind): AsyncGenerator<ProfileScores> {
  for (const profile of distinctProfiles(of.manifest, answer)) {
    const key = of.manifest.profiles[profile]?.key ?? ''
    yield { profile, key, scores: await scoreAnswers(workers, of, profile, answer) }
  }
}

async function checkTrivial(workers: ScoringWorkers, of: ScoredPackage): Promise<CheckResult> {
  const { chances } = await workers.packages({ kind: 'tasks', packageId: of.id }, of.signal)
  const found: TrivialScore[] = []
  for (const strategy of ['random', 'first', 'majority', 'empty', 'echo'] as const)
    for await (const { profile, key, scores } of inProfiles(workers, of, strategy)) {
      const right = scores.reduce((sum, { value }) => sum + (value ?? 0), 0)
      found.push({ profile: key, chance: chances[profile] ?? 0, strategy, right, scored: scores.length })
    }
  return checkTrivialAnswers(found)
}

async function checkReferences(workers: ScoringWorkers, of: ScoredPackage): Promise<CheckResult> {
  const { ids } = await workers.packages({ kind: 'tasks', packageId: of.id }, of.signal)
  const found: ReferenceScore[] = []
  for (const answer of ['reference', 'target'] as const)
    for await (const { profile, key, scores } of inProfiles(workers, of, answer)) {
      const others = scores.length === 0 ? [] : [await again(profile, answer), await again(profile, answer)]
      for (const [i, { task, value, text }] of scores.entries())
        found.push({ task, profile: key, value, steady: others.every(other => other[i]?.text === text) })
    }
  return checkReference(found, ids)

  function again(profile: number, answer: AnswerKind): Promise<ScoredAnswer[]> {
    return scoreAnswers(workers, of, profile, answer)
  }
}

async function checkDeterminism(workers: ScoringWorkers, of: ScoredPackage): Promise<CheckResult> {
  const differing = new Set<string>()
  let outputs = 0
  for await (const { profile, scores } of inProfiles(workers, of, 'echo')) {
    const second = await scoreAnswers(workers, of, profile, 'echo')
    outputs += scores.length
    for (const [i, { task, text }] of scores.entries()) if (second[i]?.text !== text) differing.add(task)
  }
  const figures = { outputs, differing: differing.size }
  return differing.size > 0
    ? checkResult(
        'determinism',
        'fail',
        `${differing.size} outputs got different scores when they were scored twice. Use a scorer without chance.`,
        figures,
        [...differing],
      )
    : checkResult('determinism', 'pass', 'The same outputs got the same scores twice.', figures)
}
