import { createHash } from 'node:crypto'
import type { UserModel } from '../../contract/worlds/worlds.schemas.ts'
import {
  createJudgeCaller,
  type JudgeEndpoint,
  JudgeUnavailableError,
  newJudgeHealth,
} from '../../engine/execution/judging/judge-caller.ts'
import type { GradedRun, UserTurn } from '../../engine/execution/scheduler/ports.ts'
import { createSpendCap, withinBoth } from '../../engine/execution/scheduler/spend-cap.ts'
import type { UserReply } from '../../engine/execution/environments/worlds/simulated-user.ts'
import type { Kernel } from '../kernel.ts'
import type { RunBudget } from './grade-runs.ts'
import { createGroupCommit } from './group-commit.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'
import { createJudgeCallLog, spentOn } from './judge-calls.store.ts'
import { type EvaluationDependencies, pause } from './open-evaluation.ts'
import { openJudges } from './open-judges.ts'
import { writer } from './writer-definition.ts'
import { messageOf } from '../../lib/message-of.ts'

/** Calls of one question, with the pauses between them. */
const maxAttempts = 5

interface OpenUser {
  readonly owner: JudgeOwner
  ask(turn: UserTurn): Promise<string>
  close(): Promise<void>
}

/** The models that play the users of a run's worlds. Their calls are stored, paid and resumed like those of its judges. */
export function createRunUsers(kernel: Pick<Kernel, 'db' | 'clock'>, dependencies: EvaluationDependencies) {
  const { db, clock } = kernel
  const open = new Map<number, Map<string, Promise<OpenUser>>>()

  const openUser = async (run: GradedRun, model: UserModel, budget: RunBudget): Promise<OpenUser> => {
    const { owner } = budget
    const { max_charge_microusd: most, ...judge } = model
    const versionId = userName(model)
    const definition = writer(judge)
    const capOf = (payer: 'wallet' | 'provider') => {
      const total = run.spending !== null && run.payer === payer ? run.spending : createSpendCap(budget[payer].cap, budget[payer].spent)
      return most === null ? total : withinBoth(total, createSpendCap(BigInt(most), spentOn(db, owner, versionId)))
    }
    const { endpoints, payers, close } = await openJudges(dependencies, owner.workspaceId, definition, owner, capOf, {
      patienceMs: run.patienceMs,
      what: 'model',
    })
    const health = newJudgeHealth(endpoints.length)
    const writes = createGroupCommit(db)
    const ask = async ({ position, messages }: UserTurn): Promise<string> => {
      const ports = {
        // The verdict tool would be in the way.
        endpoints: endpoints.map((endpoint): JudgeEndpoint => ({ ...endpoint, structured: false })),
        log: createJudgeCallLog(db, { owner, evaluatorVersionId: versionId, item: String(position), payers, writes }),
        maxAttempts,
        now: () => clock.now().getTime(),
        random: Math.random,
        sleep: pause,
        signal: run.stopSignal,
      }
      // Named by what was said, so that an episode that is played again finds the replies of the same conversation.
      const criterion = digestOf(messages)
      const question = { judge: 0, vote: 0, order: 'ab', criterion, repair: false, prompt: { messages, boundary: '' } } as const
      const answer = await createJudgeCaller(ports, health)(definition, question)
      if (!answer.ok) throw new JudgeUnavailableError('provider_failure', answer.reason)
      return answer.text
    }
    return { owner, ask, close }
  }

  return {
    ask: async (run: GradedRun, turn: UserTurn, budgetOf: (runNo: number) => RunBudget): Promise<UserReply> => {
      const ofRun = open.get(run.runNo) ?? new Map<string, Promise<OpenUser>>()
      open.set(run.runNo, ofRun)
      const name = userName(turn.model)
      const user = ofRun.get(name) ?? openUser(run, turn.model, budgetOf(run.runNo))
      ofRun.set(name, user)
      // What kept it from being opened may be over by the next turn.
      user.catch(() => ofRun.get(name) === user && ofRun.delete(name))
      try {
        return { kind: 'said', text: await (await user).ask(turn) }
      } catch (error) {
        if (run.closing() || run.stopSignal.aborted) return { kind: 'cut_off' }
        return { kind: 'failed', message: messageOf(error) }
      }
    },
    /** The run has ended, or is left for the next start. */
    end: async (runNo: number): Promise<void> => {
      const users = [...(open.get(runNo)?.values() ?? [])]
      open.delete(runNo)
      await Promise.allSettled(users.map(async user => (await user).close()))
    },
  }
}

/** Names a user's calls among those of a run. */
function userName(model: UserModel): string {
  return `simulated-user:${digestOf(model)}`
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
