import { type AnswerWithin, gradedAnswer, placedWithin } from '../../grading/answer-within.ts'
import type { Score, ScoreInput } from '../../grading/scorers/scorer.ts'
import type { Task } from '../../tasks/task.ts'
import type { Journal } from './journal.ts'
import {
  type AnsweredSample,
  evaluatorScorer,
  type GradedOutput,
  type GradedRun,
  type MetricPlan,
  type RunPlan,
  type SchedulerPorts,
  type ScoreReport,
} from './ports.ts'
import { createTurnGrader } from './grade-in-turn.ts'
import { withTurns } from '../samples/with-turns.ts'
import { type PromptRecipe, renderPrompt } from '../samples/render-prompt.ts'
import { messageOf } from '../../../lib/message-of.ts'

/** Answers that are graded together. */
export const scoringBatch = 64
/** UTF-16 code units of them: a thread gets a copy. */
const textPerBatch = 4 * 1024 * 1024
/** How often one answer may take its scoring thread down with it before it goes without a verdict. */
const mostCrashes = 3

/** Grades answers, at once or in batches by the scoring threads, and writes their scores. */
export interface Grading {
  /** Whether the answer is graded as soon as it is handed in. */
  isImmediate(answer: Pick<AnsweredSample, 'profileNo' | 'output' | 'reasoning' | 'countTokens'>, task: Task): boolean
  add(answer: AnsweredSample, task: Task): void
  /** Resolves when all answers handed in but so many have their scores stored; rejects when storing failed. */
  drained(but?: number): Promise<void>
  /** Answers that are not scored yet. */
  backlog(): number
  /** UTF-16 code units of these answers. */
  backlogText(): number
}

interface Entry {
  readonly answer: AnsweredSample
  readonly task: Task
  /** What graders see of it. */
  readonly graded: AnswerWithin
}

/**
 * @param run that the answers are of; once the process closes, threads that end say nothing about the answers they graded
 * @param failed told when answers could not be graded or their scores not be stored, so that no run waits for them
 */
export function createGrading(
  plan: RunPlan,
  ports: Pick<SchedulerPorts, 'score' | 'graders' | 'now' | 'monotonic'>,
  journal: Pick<Journal, 'scores'>,
  run: GradedRun,
  failed: (error: unknown) => void,
): Grading {
  const { closing } = run
  const queues = plan.profiles.map((): Entry[] => [])
  let running = 0
  let backlog = 0
  let backlogText = 0
  let scheduled = false
  let failure: { readonly error: unknown } | null = null
  const inTurn = plan.profiles.map(({ metrics }) => createTurnGrader(metrics, ports.monotonic))
  let waiters: { readonly but: number; resolve(): void; reject(error: unknown): void }[] = []

  /** A thread that is free gets what there is; one batch more may wait for the next to be free, if it is full. */
  const mayStart = (queued: number) => queued > 0 && (running < ports.graders() || (queued >= scoringBatch && running <= ports.graders()))
  const pump = () => {
    scheduled = false
    for (const [profileNo, queue] of queues.entries()) {
      while (mayStart(queue.length)) {
        running++
        void grade(profileNo, queue.splice(0, batchOf(queue)))
          .catch(fail)
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
  const fail = (error: unknown) => {
    failure = { error }
    failed(error)
  }
  const store = async (answers: readonly AnsweredSample[], rows: readonly (GradedOutput | undefined)[]) => {
    await journal.scores(answers.map((answer, i) => toReport(answer, rows[i], ports.now())))
    backlog -= answers.length
    for (const { output } of answers) backlogText -= output.length
  }
  const gradedOf = ({ profileNo, output, reasoning }: Pick<AnsweredSample, 'profileNo' | 'output' | 'reasoning'>) =>
    gradedAnswer(plan.profiles[profileNo]?.generation ?? {}, { output, reasoning })
  const grade = async (profileNo: number, batch: readonly Entry[]) => {
    const { metrics = [], generation } = plan.profiles[profileNo] ?? {}
    const isWhole = generation?.reasoning === 'as_text' || generation?.grade === 'output_and_reasoning'
    const recipe = metrics.some(({ scorer }) => scorer === evaluatorScorer) ? plan.profiles[profileNo]?.promptRecipe : undefined
    const rows = await gradeBatch(metrics, batch, { recipe, isWhole, maxImagePixels: generation?.max_image_pixels })
    await store(
      batch.map(({ answer }) => answer),
      rows,
    )
  }
  /** A batch whose thread dies is graded one by one, so that the answer that kills threads is found and takes no other with it. */
  const gradeBatch = async (
    metrics: readonly MetricPlan[],
    batch: readonly Entry[],
    how: { readonly recipe: PromptRecipe | undefined; readonly isWhole: boolean; readonly maxImagePixels: number | undefined },
    crashes = 0,
  ): Promise<readonly GradedOutput[]> => {
    try {
      const rows = await ports.score(
        metrics,
        batch.map(({ answer, task, graded }) => ({
          ...toScoreInput({ ...answer, output: graded.answer }, task, answer.countTokens),
          position: answer.position,
          ...(how.isWhole && { isWhole: true }),
          ...(how.recipe && {
            question: {
              taskId: task.id,
              messages: withTurns(renderPrompt(how.recipe, task), task.turns, answer.earlierAnswers),
              maxImagePixels: how.maxImagePixels,
            },
          }),
        })),
        run,
      )
      return rows.map((row, i) => ({ ...row, scores: row.scores.map(score => placedWithin(score, batch[i]?.graded ?? { offset: 0 })) }))
    } catch (error) {
      if (closing()) throw error
      if (batch.length > 1) {
        const rows: GradedOutput[] = []
        for (const entry of batch) rows.push(...(await gradeBatch(metrics, [entry], how)))
        return rows
      }
      if (crashes + 1 < mostCrashes) return gradeBatch(metrics, batch, how, crashes + 1)
      // Where even an empty batch fails, it is not the answer's doing. Otherwise it is, and it must not choose to be left out of the mean.
      await ports.score(metrics, [])
      const explanation = `Grading this answer ended its thread ${mostCrashes} times (${messageOf(error)}), so it counts as wrong.`
      return [{ scores: metrics.map(() => ({ value: 0, class: 'wrong', answer: null, answerSpan: null, explanation })), tokens: null }]
    }
  }
  const settle = () => {
    const { due = [], others = [] } = Object.groupBy(waiters, waiter => (failure || backlog <= waiter.but ? 'due' : 'others'))
    waiters = others
    for (const waiter of due) {
      if (failure) waiter.reject(failure.error)
      else waiter.resolve()
    }
  }

  return {
    isImmediate: (answer, task) =>
      !answer.countTokens && (inTurn[answer.profileNo]?.takes(toScoreInput({ output: gradedOf(answer).answer }, task, false)) ?? false),
    add: (answer, task) => {
      backlog++
      backlogText += answer.output.length
      const graded = gradedOf(answer)
      const input = toScoreInput({ ...answer, output: graded.answer }, task, false)
      const scores = answer.countTokens ? null : inTurn[answer.profileNo]?.grade(input)
      if (scores) {
        void store([answer], [{ scores: scores.map(score => placedWithin(score, graded)), tokens: null }])
          .catch(fail)
          .finally(settle)
        return
      }
      queues[answer.profileNo]?.push({ answer, task, graded })
      schedule()
    },
    drained: (but = 0) =>
      new Promise((resolve, reject) => {
        waiters.push({ but, resolve, reject })
        settle()
      }),
    backlog: () => backlog,
    backlogText: () => backlogText,
  }
}

/** How many answers of a queue are graded together. */
function batchOf(queue: readonly Entry[]): number {
  let size = 0
  let text = 0
  for (const { answer } of queue.slice(0, scoringBatch)) {
    text += answer.output.length
    if (size > 0 && text > textPerBatch) break
    size++
  }
  return size
}

function toReport(answer: AnsweredSample, row: GradedOutput | undefined, finishedAt: number): ScoreReport {
  return {
    position: answer.position,
    profileNo: answer.profileNo,
    fence: answer.fence,
    finishedAt,
    outputTokens: row?.tokens ?? null,
    answer: answer.unwritten,
    scores: verdictFor(row?.scores ?? [], answer),
  }
}

/** What the scorers are given of an answer. */
export function toScoreInput(
  { output, earlierAnswers, recorded, measured }: Pick<AnsweredSample, 'output' | 'earlierAnswers' | 'recorded' | 'measured'>,
  task: Task,
  countTokens: boolean,
): ScoreInput & { readonly countTokens: boolean } {
  return {
    countTokens,
    output,
    ...(earlierAnswers && { earlier: earlierAnswers.map(answer => answer.output) }),
    ...(recorded && { recorded }),
    ...(measured && { measured }),
    targets: task.targets,
    metadata: task.metadata,
    ...(task.choices ? { choices: task.choices } : {}),
  }
}

/** A model that declines is neither right nor wrong; nor is an answer of files without text, of which no scorer sees anything. */
export function verdictFor(
  scores: readonly Score[],
  { output, refused, holdsFiles }: Pick<AnsweredSample, 'output' | 'refused' | 'holdsFiles'>,
): readonly Score[] {
  if (refused) return scores.map(asRefused)
  return holdsFiles && output.trim() === '' ? scores.map(asFiles) : scores
}

function asFiles({ label: _, ...score }: Score): Score {
  return {
    ...score,
    value: null,
    class: 'unscored',
    answer: null,
    answerSpan: null,
    explanation: 'The answer is images or recordings without text. Scorers are given the text alone, so it was not graded.',
  }
}

function asRefused(score: Score): Score {
  const { label, ...rest } = score
  return {
    ...rest,
    value: null,
    class: 'refused',
    explanation: `The model declined to answer. ${score.explanation}`,
    // The reason for a missing verdict is not a verdict's reason.
    ...(score.value !== null && label !== undefined && { label }),
  }
}
