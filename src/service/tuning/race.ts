import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { mostCases } from '../../contract/tuning/draft.schemas.ts'
import type { TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import { advanceRace, type RacingArm } from '../../engine/reporting/tuning/advance-race.ts'
import { concludeGroup, keepsLatency } from '../../engine/reporting/tuning/conclude-group.ts'
import { measureArm } from '../../engine/reporting/tuning/measure-arm.ts'
import { FEW_CLUSTERS, fewClustersCaution } from '../../engine/statistics/clusters.ts'
import { transition } from '../../storage/transition.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { sessionStatus } from './approve.ts'
import { readCases } from '../../storage/reads/tune-cases.ts'
import { describeGroup } from './describe-group.ts'
import { endGroup, findGroup, type GroupRow, storeArm, storeFigures, storeLook } from './groups.store.ts'
import { armData, gateOf, groupAlpha, raceFrame, raceRules } from './race-data.ts'
import { createRaceRuns } from './race-runs.ts'
import type { TuneSessions } from './sessions.service.ts'
import { splitCases } from '../../engine/reporting/tuning/split-cases.ts'
import { findSessionByNo } from './sessions.store.ts'
import { resolveGrader } from './tune-benchmark.ts'

const Input = z.strictObject({ group_id: z.string() })
type Input = z.infer<typeof Input>

/** Milliseconds between two looks at runs that change all the time. */
const paceMs = 25
/** Milliseconds after which a race looks again though no run reported a change. */
const longestWaitMs = 5_000

export interface RaceDependencies {
  readonly sessions: TuneSessions
  readonly evaluators: Pick<Evaluators, 'records'>
  readonly runs: Runs
  readonly jobs: Jobs
}

/** The job that races the arms of a group: look by look, from stored verdicts and what its runs have stored. */
export function registerRace(kernel: Kernel, { sessions, evaluators, runs, jobs }: RaceDependencies): void {
  const { db, clock } = kernel
  const raceRuns = createRaceRuns(kernel, runs)
  const present = ({ group_id: id }: Input): GroupRow => {
    const group = findGroup(db, id)
    if (!group) throw new Error(`The run group ${id} is gone.`)
    return group
  }
  const sessionOf = ({ sessionNo }: GroupRow) => {
    const row = findSessionByNo(db, sessionNo)
    if (!row) throw new Error(`The tune session ${sessionNo} is gone.`)
    return row
  }
  /** Everything about a group that never changes. */
  const open = (group: GroupRow) => {
    const session = sessionOf(group)
    const quote = sessions.quoteOf(session, group)
    const draft = sessions.approved(session, 'race')
    const cases = readCases(db, session.no, draft.revision, mostCases)
    const { heldOut } = splitCases(cases, draft.objective.seed, quote.optimize?.train_share ?? null)
    const frame = raceFrame(heldOut, draft.objective.seed, quote.mode)
    const rules = raceRules(frame, draft.objective, quote.mode, group.arms.length - 1)
    const evaluator = 'scorer' in draft.grader ? null : evaluators.records.read(session.workspace_id, draft.grader.evaluator_version_id)
    const { evaluatorVersionId } = resolveGrader(draft.grader, evaluator)
    return { session, quote, objective: draft.objective, frame, rules, evaluatorVersionId }
  }
  type Opened = ReturnType<typeof open>

  const cancelRun = (workspaceId: string, runId: string) => {
    const state = runs.gated.state(workspaceId, runId)
    if (state && !state.isEnded && state.status !== 'cancelling') runs.cancel(workspaceId, runId)
  }
  const racing = (group: GroupRow, { session, frame, objective, evaluatorVersionId }: Opened): RacingArm[] =>
    group.arms.map(({ arm, verdict, reason, runId, figures }) => {
      const decided = verdict !== null
      const data = armData(runs, session.workspace_id, runId, evaluatorVersionId, frame.looks[group.look] ?? frame.ordered.length)
      const latency = decided && figures ? figures.latency : measureArm(data, null, null, 0).latency
      // Of a decided arm, costs and latency as of its own last look.
      const own = decided && figures ? data.outcomes.slice(0, figures.n + figures.missing) : data.outcomes
      return {
        arm,
        verdict,
        ...data,
        outcomes: own,
        keepsLatency: keepsLatency({ latency }, objective.max_latency_ms),
        isSuperior: reason === 'superior',
      }
    })
  /** One step of the race; false while there is nothing to decide. */
  const step = (job: JobContext<Input>, group: GroupRow, opened: Opened): 'wait' | 'next' | 'done' => {
    const { session, frame, rules, objective } = opened
    const arms = racing(group, opened)
    const { arms: steps, then } = advanceRace(rules, group.look, arms, timestamp(clock))
    const [current] = arms
    const upTo = frame.looks[group.look] ?? frame.ordered.length
    const clusters = frame.clusters
    job.commit(() => {
      for (const { arm, verdict, reason, look } of steps) {
        const stored = group.arms[arm]
        const mine = arms[arm]
        if (!stored || !mine || !current) continue
        const looks = look ? [...stored.looks.filter(other => other.look !== look.look), look] : stored.looks
        storeArm(db, group.no, { arm, verdict, reason, looks })
        storeFigures(db, group.no, arm, measureArm(mine, current, clusters && clusters.slice(0, mine.outcomes.length), objective.seed))
      }
      if (current?.reachedLook && steps.length > 0)
        storeFigures(db, group.no, 0, measureArm(current, null, clusters && clusters.slice(0, upTo), objective.seed))
      if (then === 'next') {
        storeLook(db, group.no, group.look + 1)
        const gate = gateOf(frame.looks, group.look + 1)
        for (const { arm, runId } of group.arms) {
          const verdict = steps.find(other => other.arm === arm)?.verdict ?? group.arms[arm]?.verdict ?? null
          if (verdict === null && runs.gated.state(session.workspace_id, runId)) runs.gated.setGate(session.workspace_id, runId, gate)
        }
      }
    })
    for (const arm of present(job.input).arms)
      if (then === 'done' || (arm.arm > 0 && arm.verdict !== null)) raceRuns.stop(session.workspace_id, arm)
    return then
  }
  /** What changes only when an arm reaches its look or ends. */
  const progressOf = (group: GroupRow, { session, frame }: Opened): string => {
    const upTo = frame.looks[group.look] ?? frame.ordered.length
    const reached = group.arms.map(({ runId }) => {
      const state = runs.gated.state(session.workspace_id, runId)
      return !state || state.isEnded || state.ended >= upTo
    })
    return `${group.look} ${reached.join()}`
  }
  const race = async (job: JobContext<Input>, opened: Opened): Promise<void> => {
    const { workspace_id: workspaceId } = opened.session
    const ids = present(job.input).arms.map(({ runId }) => runId)
    let seen = ''
    let ended = 0
    while (!job.signal.aborted) {
      const existing = ids.filter(id => runs.gated.state(workspaceId, id))
      const watch = runs.gated.watch(workspaceId, existing)
      const group = present(job.input)
      raceRuns.giveUp(workspaceId, group.arms)
      const nowEnded = ids.filter(id => runs.gated.state(workspaceId, id)?.isEnded).length
      if (nowEnded > ended) raceRuns.shareRest(workspaceId, group, opened.quote)
      ended = nowEnded
      const progress = progressOf(group, opened)
      job.progress({ done: group.look, total: opened.frame.looks.length })
      if (progress !== seen) {
        seen = progress
        const then = step(job, group, opened)
        if (then === 'done') return
        if (then === 'next') continue
      }
      await watch.changed(AbortSignal.any([job.signal, AbortSignal.timeout(longestWaitMs)]))
      await delay(paceMs, undefined, { signal: job.signal }).catch(() => undefined)
    }
  }
  /** Money is final once every run has ended. */
  const runsEnded = async (job: JobContext<Input>, workspaceId: string): Promise<void> => {
    while (!job.signal.aborted) {
      const going = present(job.input).arms.filter(({ runId }) => runs.gated.state(workspaceId, runId)?.isEnded === false)
      if (going.length === 0) return
      const watch = runs.gated.watch(
        workspaceId,
        going.map(({ runId }) => runId),
      )
      for (const arm of going) raceRuns.stop(workspaceId, arm)
      await watch.changed(AbortSignal.any([job.signal, AbortSignal.timeout(longestWaitMs)]))
    }
  }
  const finish = (group: GroupRow, { session, quote, objective, frame, evaluatorVersionId }: Opened): void => {
    const at = timestamp(clock)
    const clusters = frame.clusters === null ? null : new Set(frame.clusters).size
    const { arms } = describeGroup(runs, session.workspace_id, group, quote)
    const candidates = arms.filter(arm => !arm.current)
    const cautions = [
      ...(quote.exploratory ? ['This group is beyond the planned ones: its error rate is not controlled.'] : []),
      ...(evaluatorVersionId !== null && evaluators.records.find(session.workspace_id, evaluatorVersionId)?.calibration.status !== 'current'
        ? ['The judge that graded the answers is not calibrated against people’s labels.']
        : []),
      ...(clusters !== null && clusters < FEW_CLUSTERS ? [fewClustersCaution(clusters)] : []),
    ]
    const conclusion = concludeGroup(group.id, arms, objective, groupAlpha(objective), cautions)
    const [current] = arms
    const unusable = current?.n === 0 || candidates.every(arm => arm.reason === 'missing' && arm.n === 0)
    const gaps = candidates.some(arm => arm.reason === 'missing')
    const status: TuneGroup['status'] = unusable ? 'failed' : gaps ? 'partial' : 'complete'
    const event = status === 'failed' ? 'fail' : status === 'partial' ? 'finish_partial' : 'complete'
    endGroup(db, group, status, conclusion, at)
    transition(db, tuneSessionMachine, sessionStatus, session.id, event, at)
  }

  jobs.register<Input>({
    kind: 'tune_race',
    input: Input,
    lane: 'tuning',
    concurrency: 16,
    run: async job => {
      const opened = open(present(job.input))
      await race(job, opened)
      await runsEnded(job, opened.session.workspace_id)
      if (job.signal.aborted) return
      return () => finish(present(job.input), opened)
    },
    pause: ({ input }) => {
      const group = present(input)
      return runs.gated.pause(
        sessionOf(group).workspace_id,
        group.arms.map(({ runId }) => runId),
      )
    },
    stored: ({ input }) => {
      const group = present(input)
      const { workspace_id: workspaceId } = sessionOf(group)
      return group.arms.reduce((sum, { runId }) => sum + (runs.gated.state(workspaceId, runId)?.ended ?? 0), 0)
    },
    ended: ({ input }, { state, code }) => {
      const group = present(input)
      const session = sessionOf(group)
      const at = timestamp(clock)
      for (const { arm, verdict, looks } of group.arms)
        if (arm > 0 && verdict === null) storeArm(db, group.no, { arm, verdict: 'undecided', reason: 'cancelled', looks })
      endGroup(db, group, state, null, at)
      transition(db, tuneSessionMachine, sessionStatus, session.id, state === 'cancelled' ? 'cancel' : 'fail', at, code)
      db.afterCommit(() => {
        for (const { runId } of group.arms) cancelRun(session.workspace_id, runId)
      })
    },
  })
}
