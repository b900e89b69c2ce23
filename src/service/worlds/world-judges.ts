import type { EvaluatorDefinition, JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { worldScorerId } from '../../engine/grading/worlds/world.scorer.ts'

interface NamedDefinition {
  readonly name: string
  readonly description: string
  readonly definition: EvaluatorDefinition
}

/** Asks one judge for one of two verdicts on a whole episode. */
function judgeOf(judge: JudgeModel, instructions: string, menu: readonly [pass: string, fail: string], reference: 'expected' | 'none') {
  const [pass, fail] = menu
  return {
    kind: 'model_graded' as const,
    judges: [judge],
    mode: 'classification' as const,
    instructions,
    criteria: [],
    menu: [
      { value: pass, meaning: '', passes: true },
      { value: fail, meaning: '', passes: false },
    ],
    reference,
    ...(reference === 'expected' && { skip_without_reference: true as const }),
    votes: 1,
    combine: 'majority' as const,
    explanation: 'before' as const,
  }
}

/** Decides what of a task no rule can; null where nothing is asked of it. */
export function criteriaJudge({ title, judge, tasks }: Pick<WorldDefinition, 'title' | 'judge' | 'tasks'>): NamedDefinition | null {
  if (!judge || !tasks.some(({ expected }) => expected.criteria)) return null
  const instructions =
    'The output is the record of a conversation between a user and an assistant with tools, as JSON: messages, tool calls and the final state. The reference lists criteria, one a line. The verdict is "met" if the assistant met every one of them, and "not met" if it missed any. Name the message that decides it.'
  return {
    name: `${title}: criteria`.slice(0, 200),
    description: 'Criteria of the tasks of an environment.',
    definition: judgeOf(judge, instructions, ['met', 'not met'], 'expected'),
  }
}

/** Decides whether simulated users said nothing that they do not know; null where there are none. */
export function factsJudge({ title, judge, tasks }: Pick<WorldDefinition, 'title' | 'judge' | 'tasks'>): NamedDefinition | null {
  if (!judge || !tasks.some(({ user }) => user.kind === 'model')) return null
  const instructions =
    'The output is the record of a conversation between a simulated user and an assistant, as JSON. Its field `user` says what the user was told: persona, goal and facts. Judge the user, not the assistant. The verdict is "kept" if the user stated nothing as a fact that is neither among these nor said by the assistant before, and "invented" otherwise. Without a field `user` it is "kept".'
  return {
    name: `${title}: simulated user`.slice(0, 200),
    description: 'Whether the simulated users of an environment kept to their facts.',
    definition: judgeOf(judge, instructions, ['kept', 'invented'], 'none'),
  }
}

/** Everything that rules decide. */
export function rulesOf({ title }: Pick<WorldDefinition, 'title'>): NamedDefinition {
  return {
    name: `${title}: state, calls and answer`.slice(0, 200),
    description: 'Expectations of the tasks of an environment that rules decide.',
    definition: { kind: 'deterministic', scorer: worldScorerId, options: {}, target_from: 'expected' },
  }
}

/** Holds where all parts hold. */
export function allOf({ title }: Pick<WorldDefinition, 'title'>, parts: readonly string[]): NamedDefinition {
  return {
    name: `${title}: all expectations`.slice(0, 200),
    description: 'Rules and criteria of the tasks of an environment.',
    definition: { kind: 'composite', operation: 'all', parts: parts.map(id => ({ evaluator_version_id: id, weight: 1 })) },
  }
}
