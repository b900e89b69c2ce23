import { setTimeout as delay } from 'node:timers/promises'
import type {
  DeterministicDefinition,
  EmbeddingDefinition,
  JudgeDefinition,
} from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { RunPause } from '../../contract/runs/runs.schemas.ts'
import { createJudgeCaller, newJudgeHealth } from '../../engine/execution/judging/judge-caller.ts'
import { describeWaits } from '../../engine/execution/scheduler/describe-waits.ts'
import { waiterName } from '../../engine/execution/scheduler/endpoint-waits.ts'
import type { Limiters } from '../../engine/execution/scheduler/limiters.ts'
import type { SpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import { combineParts } from '../../engine/grading/evaluators/combine-parts.ts'
import { type JudgeQuestion, judgeOutput } from '../../engine/grading/judges/judge-output.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { recordedVerdictId } from '../../engine/grading/scorers/native/recorded-verdict.scorer.ts'
import { unscored } from '../../engine/grading/scorers/verdict.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Connections } from '../connections/index.ts'
import type { Kernel } from '../kernel.ts'
import { compareEmbeddings, embedder } from './compare-embeddings.ts'
import { type EvaluatedItem, targetsFrom } from './evaluated-item.ts'
import { type Evaluated, type JudgedAnswer, judgeTurns, plain } from './judge-turns.ts'
import { type EvaluatorTree, evaluatorsIn } from './evaluator-tree.ts'
import { createGroupCommit } from './group-commit.ts'
import { fenceSeedOf, type JudgeOwner } from './judge-budgets.store.ts'
import { boundarySource, createJudgeCallLog } from './judge-calls.store.ts'
import { answerWithin, placedWithin } from '../../engine/grading/answer-within.ts'
import { type JudgeFacts, openJudges } from './open-judges.ts'
import { type OpenScorer, type RemoteScorers, scorerRequestId } from './remote-scorers.service.ts'
import { messageOf } from '../../lib/message-of.ts'

export interface EvaluationDependencies {
  readonly connections: Connections
  readonly limiters: Limiters
  readonly workers: Pick<Workers, 'score' | 'readVerdict'>
  readonly remoteScorers: Pick<RemoteScorers, 'open'>
}

/** What an evaluation is made for, and within which limits. */
export interface EvaluationSetting {
  readonly owner: JudgeOwner
  /** Null: no limit. */
  spendingOf(payer: JudgeFacts['payer']): SpendCap | null
  /** Milliseconds without a single answer for which a judge or remote scorer is waited for while it takes no calls. */
  readonly patienceMs?: number
  readonly signal: AbortSignal
}

/** An evaluator with its judges' and scorers' connections open. */
export interface Evaluation {
  /** @throws JudgeUnavailableError when its judges can't be asked any further */
  evaluate(items: readonly EvaluatedItem[]): Promise<Evaluated[]>
  close(): Promise<void>
}

type Evaluate = (items: readonly EvaluatedItem[]) => Promise<Evaluated[]>

/** An output's score under one evaluator, with what each judge in it said, each once however often it is a part. */
interface Graded {
  readonly score: Score
  readonly judged: ReadonlySet<Evaluated>
}
type Grade = (items: readonly EvaluatedItem[]) => Promise<Graded[]>

/** Calls of one question, with the pauses between them. */
const maxAttempts = 5

/** What an evaluation, or a text that is asked for, waits for. */
export function evaluationPause(
  { clock }: Pick<Kernel, 'clock'>,
  { limiters }: Pick<EvaluationDependencies, 'limiters'>,
  owner: Pick<JudgeOwner, 'kind' | 'id'>,
): RunPause | null {
  return describeWaits(limiters.waits.of(waiterName(owner)), clock.now().getTime())
}

export async function openEvaluation(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  dependencies: EvaluationDependencies,
  tree: EvaluatorTree,
  setting: EvaluationSetting,
): Promise<Evaluation> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    await Promise.all(closers.map(end => end()))
  }
  const evaluators = new Map<EvaluatorTree, Promise<Grade>>()

  /** Opens models and asks them about items, each question at most once. */
  const asking = async (id: string, definition: JudgeDefinition, use: 'chat' | 'embeddings') => {
    const { owner, signal } = setting
    const {
      endpoints,
      payers,
      close: closeJudges,
    } = await openJudges(dependencies, owner.workspaceId, definition, owner, setting.spendingOf, {
      patienceMs: setting.patienceMs,
      use,
      ...(use === 'embeddings' && { what: 'model' as const }),
    })
    closers.push(closeJudges)
    const health = newJudgeHealth(endpoints.length)
    const writes = createGroupCommit(kernel.db)
    return (item: string) => {
      const log = createJudgeCallLog(kernel.db, { owner, evaluatorVersionId: id, item, payers, writes })
      const ask = createJudgeCaller(
        { endpoints, log, maxAttempts, now: () => kernel.clock.now().getTime(), random: Math.random, sleep: pause, signal },
        health,
      )
      return { log, ask: (question: JudgeQuestion) => ask(definition, question) }
    }
  }

  const judged = async ({ id }: EvaluatorTree, definition: JudgeDefinition): Promise<Evaluate> => {
    const about = await asking(id, definition, 'chat')
    const seed = fenceSeedOf(kernel.db, setting.owner)
    const judgeOne = async (item: JudgedAnswer): Promise<Evaluated> => {
      const { log, ask } = about(item.item)
      return judgeOutput(
        definition,
        {
          input: item.input,
          files: item.files,
          maxImagePixels: item.maxImagePixels,
          output: item.output,
          reference: item.targets.length === 0 ? null : item.targets.join('\n'),
        },
        {
          ask,
          parse: (reply, boundary) => dependencies.workers.readVerdict(definition, reply, boundary),
          // A verdict that can't be written is in the item's record all the same.
          read: (question, { verdict }) => void log.read(question, verdict).catch(() => undefined),
          boundary: boundarySource(seed, `${id} ${item.item}`),
        },
      )
    }
    return items => Promise.all(items.map(item => judgeTurns(definition, item, judgeOne)))
  }

  const compared = async ({ id }: EvaluatorTree, definition: EmbeddingDefinition): Promise<Evaluate> => {
    const about = await asking(id, embedder(definition), 'embeddings')
    return items => Promise.all(items.map(async item => plain(await compareEmbeddings(definition, item, about(item.item).ask))))
  }

  const remote = (tree: EvaluatorTree, scorer: OpenScorer, options: Readonly<Record<string, unknown>>): Evaluate => {
    const { owner, signal } = setting
    return items =>
      Promise.all(
        items.map(async item => {
          if (item.output === null) return plain(unscored('The example has no output to grade.'))
          const requestId = scorerRequestId(owner, tree.id, item)
          return plain(await scorer.score({ owner, item, requestId, name: tree.name, version: tree.version, options }, signal))
        }),
      )
  }

  const leaf = async (tree: EvaluatorTree): Promise<Evaluate> => {
    const { definition } = tree
    if (definition.kind === 'deterministic') return items => gradeBatch(dependencies.workers, definition, items)
    if (definition.kind === 'model_graded') return judged(tree, definition)
    if (definition.kind === 'embedding') return compared(tree, definition)
    if (definition.kind === 'composite') throw new Error('A composite is made of its parts.')
    const scorer = await dependencies.remoteScorers.open(setting.owner.workspaceId, definition.remote_scorer_id, setting.patienceMs)
    closers.push(scorer.close)
    if (scorer.waits) {
      const leave = dependencies.limiters.waits.add(waiterName(setting.owner), scorer.waits)
      closers.push(async () => leave())
    }
    return remote(tree, scorer, definition.options)
  }

  const gradeOf = async (tree: EvaluatorTree): Promise<Grade> => {
    const { definition } = tree
    if (definition.kind !== 'composite') {
      const evaluate = await leaf(tree)
      return async items => (await evaluate(items)).map(evaluated => ({ score: evaluated.score, judged: new Set([evaluated]) }))
    }
    const parts: Grade[] = []
    for (const part of tree.parts) parts.push(await open(part))
    return async items => {
      const columns = await Promise.all(parts.map(grade => grade(items)))
      return items.map((_, i) => {
        const row = columns.flatMap(column => column[i] ?? [])
        return {
          score: combineParts(
            definition,
            row.map(({ score }) => score),
          ),
          judged: new Set(row.flatMap(part => [...part.judged])),
        }
      })
    }
  }
  /** An evaluator that is part of several is opened once and evaluated once for the same items. */
  const open = (tree: EvaluatorTree): Promise<Grade> => {
    const known = evaluators.get(tree)
    if (known) return known
    const opened = gradeOf(tree).then((grade): Grade => {
      const graded = new WeakMap<readonly EvaluatedItem[], Promise<Graded[]>>()
      return items => {
        const before = graded.get(items) ?? grade(items)
        graded.set(items, before)
        return before
      }
    })
    evaluators.set(tree, opened)
    return opened
  }
  try {
    const grade = await open(tree)
    return { evaluate: items => withoutReasoning(items, async answers => (await grade(answers)).map(toEvaluated)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Outputs of datasets may hold what a model thought, which no evaluator grades. */
export async function withoutReasoning(items: readonly EvaluatedItem[], evaluate: Evaluate): Promise<Evaluated[]> {
  const within = items.map(({ output, isWhole }) => (typeof output === 'string' && !isWhole ? answerWithin(output) : null))
  const evaluated = await evaluate(items.map((item, i) => ({ ...item, output: within[i]?.answer ?? item.output })))
  return evaluated.map((each, i) => ({ ...each, score: placedWithin(each.score, within[i] ?? { offset: 0 }) }))
}

function toEvaluated({ score, judged }: Graded): Evaluated {
  const all = [...judged]
  const swapped = all.reduce((sum, each) => ({ pairs: sum.pairs + each.swapped.pairs, flips: sum.flips + each.swapped.flips }), {
    pairs: 0,
    flips: 0,
  })
  return { score, votes: all.flatMap(({ votes }) => votes), swapped }
}

/** Items evaluated together: judges and scorers take long for each, so that a stop should not lose many. */
export function batchSize(tree: EvaluatorTree): number {
  return evaluatorsIn(tree).every(({ definition }) => definition.kind === 'deterministic' || definition.kind === 'composite') ? 250 : 64
}

/** A batch whose thread dies is graded one by one, so that one output takes no other with it. */
export async function gradeBatch(
  workers: Pick<Workers, 'score'>,
  { scorer, options, target_from: from }: DeterministicDefinition,
  items: readonly EvaluatedItem[],
): Promise<Evaluated[]> {
  // Of a pair, a recorded verdict is the only thing that a scorer can read.
  const isGraded = ({ output }: EvaluatedItem) => typeof output === 'string' || scorer === recordedVerdictId
  const inputs = items.filter(isGraded).map(item => ({
    output: typeof item.output === 'string' ? item.output : '',
    targets: targetsFrom(item, from),
    metadata: item.metadata,
    ...(item.example && { example: item.example }),
    countTokens: false,
    ...(item.choices && { choices: item.choices }),
  }))
  const metric = { id: 'evaluator', scorer, options, primary: true }
  const grade = async (some: typeof inputs): Promise<Score[]> => {
    try {
      return (await workers.score([metric], some)).map(({ scores }) => scores[0] ?? unscored('The scorer gave no score.'))
    } catch (error) {
      if (some.length > 1) return (await Promise.all(some.map(one => grade([one])))).flat()
      return [unscored(`Grading this output ended its thread: ${messageOf(error)}`)]
    }
  }
  const scores = (inputs.length === 0 ? [] : await grade(inputs)).values()
  return items.map(item => {
    const { output } = item
    if (isGraded(item)) return plain(scores.next().value ?? unscored('The scorer gave no score.'))
    return plain(
      unscored(
        output === null ? 'The example has no output to grade.' : 'The example is a pair of outputs; a deterministic evaluator grades one.',
      ),
    )
  })
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined)
}
