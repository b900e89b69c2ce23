import { withRelatedWords } from '../../../lib/related-words.ts'
import { chooseSearchWords, mostTelling } from './choose-search-words.ts'
import { objectiveWords, wordsIn } from './objective-words.ts'
import { othersThan, readPastResults, type TokenRates } from './past-results.ts'
import type { FoundTask, PastResult, RecommendationSource } from './recommendation-source.ts'
import { type Candidate, selectTasks, type TaskSelectionResult } from './select-tasks.ts'

/** A benchmark that an objective may be about. */
export interface Subject {
  /** What is known of it in words: title, summary, capabilities. */
  readonly text: string
  readonly capabilities: readonly string[]
  /** The tasks that can be run; null where there are none, so that it can only be named as missing. */
  readonly tasks: { readonly versionNo: number; readonly split: 'test' | 'canonical'; readonly count: number } | null
}

export interface RecommendationQuestion {
  readonly workspaceId: string
  readonly objective: string
  readonly subjects: readonly Subject[]
  readonly limit: number
  /** Micro-USD; null: none. */
  readonly budget: number | null
  /** Of each model that is to be evaluated; null where they are not known. */
  readonly rates: readonly (TokenRates | null)[]
  /** Identities of those models; see `modelIdentity`. */
  readonly judged: readonly string[]
}

export interface RecommendationAnswer extends TaskSelectionResult {
  readonly words: readonly string[]
  /** Those of the words that neither a task nor a benchmark holds. */
  readonly unknownWords: readonly string[]
  /** How well each subject's text fits, in [0, 1], 1 for the best. */
  readonly fit: readonly number[]
  /** Capabilities that the objective names. */
  readonly wanted: readonly string[]
  /** Whether any candidate has past results of models that are not to be evaluated. */
  readonly hasHistory: boolean
  /** Identities of the models whose past results took part in choosing. */
  readonly informedBy: readonly string[]
}

/** Tasks found by their own text. */
const mostFound = 1000
/** Tasks taken from benchmarks whose text fits, together, and of each at least. */
const mostSpread = 800
const leastSpread = 50
/**
 * How a task's own text and its benchmark's count in its relevance. The benchmark's counts more: it says what the task is for, while
 * a word in a task may be there by chance.
 */
const weights = { task: 0.4, subject: 0.6 }

/** Finds tasks for an objective. The same catalog, history and question give the same answer; nothing is changed. */
export function recommend(
  { workspaceId, objective, subjects, limit, budget, rates, judged: judgedList }: RecommendationQuestion,
  source: RecommendationSource,
): RecommendationAnswer {
  const words = objectiveWords(objective)
  // Benchmarks are named in the words of the field, their tasks in everyday ones.
  const subjectWords = withRelatedWords(words)
  const stems = source.stems(subjectWords)
  const texts = subjects.map(subject => subject.text)
  const fit = scaled(source.rankTexts(texts, subjectWords))
  const available = subjects.flatMap(({ tasks }) => tasks ?? [])
  const versions = available.map(({ versionNo }) => versionNo)
  const ownText = searchTasks(words, available, source)
  const sourceOf = new Map(subjects.flatMap(({ tasks }, i) => (tasks ? [[tasks.versionNo, i] as const] : [])))
  const relevanceOf = ({ no, versionNo }: FoundTask) =>
    weights.task * (ownText.get(no) ?? 0) + weights.subject * (fit[sourceOf.get(versionNo) ?? -1] ?? 0)

  const fitting = subjects.flatMap(({ tasks }, i) => (tasks && (fit[i] ?? 0) > 0 ? [tasks.versionNo] : []))
  const each = Math.max(leastSpread, Math.floor(mostSpread / fitting.length))
  const fromSubjects = fitting.flatMap(versionNo => source.spread(versionNo, each))
  const found = source
    .tasks([...new Set([...ownText.keys(), ...fromSubjects])])
    .filter(task => subjects[sourceOf.get(task.versionNo) ?? -1]?.tasks?.split === task.split)
  const history = source.history(
    workspaceId,
    found.map(task => task.no),
  )
  const judged = new Set(judgedList)
  const past = readPastResults(found, history, rates, judged)
  const best = found.reduce((most, task) => Math.max(most, relevanceOf(task)), Number.MIN_VALUE)
  const toCandidate = (task: FoundTask): Candidate => ({
    ...task,
    source: sourceOf.get(task.versionNo) ?? -1,
    relevance: relevanceOf(task) / best,
    ...past(task),
  })
  const requirements = requirementsWithin(limit, source)
  const selection = selectTasks(found.map(toCandidate), { tasks: limit, budget }, task => {
    const versionNo = subjects[task.source]?.tasks?.versionNo
    return versionNo === undefined ? null : (requirements(versionNo, task)?.map(toCandidate) ?? null)
  })
  return {
    ...selection,
    words,
    unknownWords: words.filter(
      word => source.rankTexts(texts, withRelatedWords([word])).every(score => score === 0) && !source.holds(word, versions),
    ),
    fit,
    wanted: wantedCapabilities(subjects, stems, source),
    hasHistory: othersThan(judged, history).length > 0,
    informedBy: informedBy(selection.chosen, othersThan(judged, history)),
  }
}

/** Models with a result on a chosen task that separates: without them, other tasks might have been chosen. */
function informedBy(chosen: TaskSelectionResult['chosen'], history: readonly PastResult[]): string[] {
  const separating = new Set(chosen.flatMap(({ task }) => (task.separation === null ? [] : [task.no])))
  return [...new Set(history.flatMap(({ taskNo, identity }) => (separating.has(taskNo) ? [identity] : [])))].sort()
}

/** Tasks whose own text holds words of the objective, with how well it fits, in (0, 1]. */
function searchTasks(
  words: readonly string[],
  available: readonly NonNullable<Subject['tasks']>[],
  source: RecommendationSource,
): Map<number, number> {
  const all = available.reduce((sum, { count }) => sum + count, 0)
  const frequencies = source.frequencies(words, mostTelling(all) + 1)
  const telling = chooseSearchWords(
    words.map((word, i) => ({ word, tasks: frequencies[i] ?? 0 })),
    all,
  )
  const versions = available.map(({ versionNo }) => versionNo)
  const attainable = frequencies.reduce((sum, tasks) => sum + rarity(tasks, all), 0)
  if (telling.length === 0) {
    // Every word is too common to rank by: tasks that hold the rarest fit alike, and some from all over are enough.
    const [rarest] = words
      .map((word, i) => ({ word, tasks: frequencies[i] ?? 0 }))
      .sort((a, b) => a.tasks - b.tasks)
      .filter(one => one.tasks > 0)
    if (!rarest) return new Map()
    const holders = thinned(source.holders(rarest.word, versions, Math.ceil(rarest.tasks / mostFound)), mostFound)
    return new Map(holders.map(no => [no, Math.min(1, rarity(rarest.tasks, all) / attainable)]))
  }
  const hits = source.search(telling, versions, mostFound)
  const most = hits.reduce((best, hit) => Math.max(best, hit.score), 0)
  // A task that holds one word of many must not seem to fit wholly only because no other holds more.
  const share = Math.min(1, most / attainable)
  return new Map(hits.map(({ no, score }) => [no, (share * score) / most]))
}

/** Up to so many of them, evenly from first to last. */
function thinned(numbers: readonly number[], most: number): number[] {
  const step = Math.max(1, numbers.length / most)
  return numbers.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step))
}

/** BM25's inverse document frequency (Robertson and Sparck Jones), bounded below: the weight of a word in a task that contains it. */
function rarity(tasks: number, all: number): number {
  return Math.max(0.01, Math.log((Math.max(all, tasks) - tasks + 0.5) / (tasks + 0.5)))
}

type Needing = Pick<FoundTask, 'taskId' | 'dependsOn'>

/**
 * Everything that a task needs, directly or not, in the order found; null when one of them is not there. Beyond the limit nothing more is
 * looked for, since the task cannot be taken: tasks may form a chain of any length, or a circle.
 */
function requirementsWithin(limit: number, source: RecommendationSource) {
  const read = new Map<string, FoundTask | null>()
  const find = (versionNo: number, id: string): FoundTask | null => {
    const key = `${versionNo} ${id}`
    const known = read.get(key)
    if (known !== undefined) return known
    const [task = null] = source.tasksById(versionNo, [id])
    read.set(key, task)
    return task
  }
  return (versionNo: number, task: Needing): FoundTask[] | null => {
    const found = new Map<string, FoundTask>()
    let open: readonly Needing[] = [task]
    while (open.length > 0) {
      const next: FoundTask[] = []
      for (const id of open.flatMap(one => one.dependsOn)) {
        if (id === task.taskId || found.has(id)) continue
        const needed = find(versionNo, id)
        if (needed === null) return null
        found.set(id, needed)
        next.push(needed)
        if (found.size > limit) return [...found.values()]
      }
      open = next
    }
    return [...found.values()]
  }
}

/** Capabilities of any benchmark all of whose words the objective holds. */
function wantedCapabilities(subjects: readonly Subject[], stems: readonly string[], source: RecommendationSource): string[] {
  const asked = new Set(stems)
  const named = [...new Set(subjects.flatMap(subject => subject.capabilities))].sort()
  return named.filter(capability => {
    const own = source.stems(wordsIn(capability))
    return own.length > 0 && own.every(stem => asked.has(stem))
  })
}

/** The largest becomes 1. */
function scaled(scores: readonly number[]): number[] {
  const most = scores.reduce((best, score) => Math.max(best, score), 0)
  return scores.map(score => (most === 0 ? 0 : score / most))
}
