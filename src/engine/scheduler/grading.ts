import type { Score, ScoreInput } from '../scorers/scorer.ts'
import type { Task } from '../tasks/task.ts'
import type { Journal } from './journal.ts'
import type { AnsweredSample, RunPlan, SchedulerPorts } from './ports.ts'

const batchSize = 64
/** Batches in the pool at a time: enough to keep every thread busy, not so many that a stop has to wait for them. */
const batchesInFlight = 8

/** Collects answers into batches for the scoring threads and writes their scores. */
export interface Grading {
  add(answer: AnsweredSample, task: Task): void
  /** Resolves when every answer handed in has its scores stored; rejects when storing failed. */
  drained(): Promise<void>
  /** Answers that are not scored yet. */
  backlog(): number
}

export function createGrading(plan: RunPlan, ports: SchedulerPorts, journal: Journal): Grading {
  const queues = plan.profiles.map((): { answer: AnsweredSample; task: Task }[] => [])
  let running = 0
  let backlog = 0
  let scheduled = false
  let failure: { readonly error: unknown } | null = null
  let waiters: { resolve(): void; reject(error: unknown): void }[] = []

  const pump = () => {
    scheduled = false
    for (const [profileNo, queue] of queues.entries()) {
      while (queue.length > 0 && running < batchesInFlight) {
        running++
        void grade(profileNo, queue.splice(0, batchSize))
          .catch((error: unknown) => {
            failure = { error }
          })
          .finally(() => {
            running--
            schedule()
            settle()
          })
      }
    }
  }
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(pump)
  }
  const grade = async (profileNo: number, batch: { answer: AnsweredSample; task: Task }[]) => {
    const metrics = plan.profiles[profileNo]?.metrics ?? []
    const rows = await ports.score(
      metrics,
      batch.map(({ answer, task }) => toInput(answer, task)),
    )
    const written = batch.map(({ answer }, i) =>
      journal.score({
        position: answer.position,
        profileNo,
        fence: answer.fence,
        finishedAt: ports.now(),
        outputTokens: rows[i]?.tokens ?? null,
        scores: (rows[i]?.scores ?? []).map(score => (answer.refused ? asRefused(score) : score)),
      }),
    )
    await Promise.all(written)
    backlog -= batch.length
  }
  const settle = () => {
    if (backlog > 0 && !failure) return
    const waiting = waiters
    waiters = []
    for (const waiter of waiting) {
      if (failure) waiter.reject(failure.error)
      else waiter.resolve()
    }
  }

  return {
    add: (answer, task) => {
      backlog++
      queues[answer.profileNo]?.push({ answer, task })
      schedule()
    },
    drained: () =>
      new Promise((resolve, reject) => {
        waiters.push({ resolve, reject })
        settle()
      }),
    backlog: () => backlog,
  }
}

function toInput(answer: AnsweredSample, task: Task): ScoreInput & { readonly countTokens: boolean } {
  return {
    countTokens: answer.countTokens,
    output: answer.output,
    targets: task.targets,
    metadata: task.metadata,
    ...(task.choices ? { choices: task.choices } : {}),
  }
}

/** A model that declines is neither right nor wrong. */
function asRefused(score: Score): Score {
  return { ...score, value: null, class: 'refused', explanation: `The model declined to answer. ${score.explanation}` }
}
