import { createHash } from 'node:crypto'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import { ScorerConfigError } from '../../grading/scorers/config-error.ts'
import { prepareScorer } from '../../grading/scorers/registry.ts'
import type { Task } from '../../tasks/task.ts'
import { nameFew } from '../../../lib/format/name-few.ts'
import { mendJson } from '../../../lib/mend-json.ts'
import { sameLengthNumbers, withoutNonNumbers } from '../files/parse-json.ts'
import type { MatchedAnswer } from './given-answer.ts'

/** A score of the log and ours that follows the same rules. */
export interface MetricPair {
  /** As answers name it. */
  readonly log: string
  /** Id of ours; null where nothing here follows the rules. */
  readonly metric: string | null
  readonly reason: string | null
  /** Of a score that the log does not state itself, but that its parts give. */
  readonly isDerived?: boolean
  /** Of all answers to a task together, so that it tells nothing about one of them. */
  readonly isShared?: boolean
  /** The tool and its release that gave the scores; null where the log does not say. */
  readonly release?: string | null
}

export interface LogAnswer extends MatchedAnswer {
  /** The profile that it was given under. */
  readonly profileKey: string
  /** Tells runs of one model apart; absent where the model does. */
  readonly run?: number
}

/** A result log of another tool: the tasks it was about, what was answered, and its own scores. */
export interface ForeignLog {
  readonly title: string
  define(slug: string, title: string): BenchmarkDefinition
  readonly tasks: readonly Task[]
  readonly answers: readonly LogAnswer[]
  readonly pairs: readonly MetricPair[]
  /** Whether a scorer here grades anything of it; otherwise its benchmark is graded by the log's own scores alone. */
  readonly isGraded: boolean
  readonly warnings: readonly string[]
  /** What the file says of its own size; null where it says nothing. */
  readonly counted: CountedSamples | null
}

/** How many samples a file says that it has, and how many were read. */
export interface CountedSamples {
  readonly stated: number
  readonly read: number
  /** Ids that the file names and does not hold. */
  readonly missing: readonly string[]
}

const listedMissing = 20

/** What is said where a file does not hold what it states. */
export function countWarning(title: string, counted: CountedSamples | null): string[] {
  if (counted === null || counted.stated === counted.read) return []
  const { stated, read, missing } = counted
  const ids = missing.length === 0 ? '' : ` Missing: ${nameFew(missing, listedMissing)}.`
  return [
    `"${title}" states ${stated} ${stated === 1 ? 'sample' : 'samples'}, and ${read} ${read === 1 ? 'was' : 'were'} read.${ids} Figures here are of those that were read.`,
  ]
}

/** Documents with several answers, and those with fewer than others. @param isShared whether a score is of all of them together */
export function severalAnswers(title: string, documents: number, answers: readonly LogAnswer[], isShared: boolean): string[] {
  const counts = Array.from({ length: documents }, () => 0)
  for (const { taskIndex } of answers) counts[taskIndex] = (counts[taskIndex] ?? 0) + 1
  const repeated = counts.filter(count => count > 1).length
  const most = counts.reduce((highest, count) => Math.max(highest, count), 0)
  const fewest = counts.reduce((lowest, count) => Math.min(lowest, count), most)
  const few = counts.filter(count => count < most).length
  const scores = isShared
    ? 'A score of the log that is not computed here is of all of them together: each of the answers has it.'
    : 'The log’s scores are of the first; the others are graded here alone.'
  return [
    ...(repeated === 0 ? [] : [`${repeated} of ${counts.length} documents have several answers. ${scores}`]),
    ...(few === 0
      ? []
      : [
          `Documents of "${title}" have between ${fewest} and ${most} answers: ${few} of ${counts.length} have fewer than ${most}. What they lack counts as missing, and each document's mean is of the answers that it has.`,
        ]),
  ]
}

/** Epochs of a log; comparisons tell no more apart. */
const mostEpochs = 999

/**
 * Answers of which two have no place in common: one that is there again for an epoch of a task, as where files were put together, is another
 * epoch of it. Those of more epochs than are taken are left out by name. @throws LogError where that is all of them
 */
export function inOwnPlaces({ title, tasks, answers: given }: Pick<ForeignLog, 'title' | 'tasks' | 'answers'>): {
  readonly answers: readonly LogAnswer[]
  readonly warnings: readonly string[]
} {
  const placeOf = ({ profileKey, model, run, taskIndex }: LogAnswer): string => JSON.stringify([profileKey, model, run, taskIndex])
  const withinLimit = (answer: LogAnswer): LogAnswer => {
    if (answer.epoch <= mostEpochs) return answer
    const task = tasks[answer.taskIndex]?.id ?? ''
    throw new LogError(`The task "${task.slice(0, 100)}" of "${title}" has the epoch ${answer.epoch}; at most ${mostEpochs} are taken.`)
  }
  const usable = eachOf(given, withinLimit)
  const last = new Map<string, number>()
  for (const answer of usable.found) last.set(placeOf(answer), Math.max(last.get(placeOf(answer)) ?? 0, answer.epoch))
  const taken = new Set<string>()
  let moved = 0
  const { found: answers, faults: beyond } = eachOf(usable.found, answer => {
    const place = placeOf(answer)
    const own = `${place} ${answer.epoch}`
    if (!taken.has(own)) {
      taken.add(own)
      return answer
    }
    const epoch = (last.get(place) ?? 0) + 1
    last.set(place, epoch)
    const next = withinLimit({ ...answer, epoch })
    moved++
    return next
  })
  const faults = [...usable.faults, ...beyond]
  if (answers.length === 0 && faults[0]) throw faults[0]
  const are = moved === 1 ? 'One answer is' : `${moved} answers are`
  return {
    answers,
    warnings: [
      ...leftOut(faults),
      ...(moved === 0 ? [] : [`${are} for an epoch of a task of "${title}" that has one already; each is taken as a further epoch.`]),
    ],
  }
}

/** Ids of tasks have at most this many characters. */
const longestId = 200

/** An id that fits; of longer ones the beginning with a digest of the whole, so that those alike at the beginning stay apart. */
export function fittingId(id: string): string {
  if (id.length <= longestId) return id
  return `${id.slice(0, longestId - 13).toWellFormed()}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
}

/** Reads each file, and says of those that cannot be read why; where none can, the first reason is the error. @throws LogError */
export function readEach<File extends { readonly name: string }, Read>(
  files: readonly File[],
  read: (file: File) => Read,
): { readonly found: Read[]; readonly warnings: string[] } {
  const { found, faults } = eachOf(files, read)
  const [first] = faults
  if (found.length === 0 && first) throw first
  return { found, warnings: leftOut(faults) }
}

/** What can be read, and what is wrong with the rest. */
export function eachOf<Given, Read>(all: readonly Given[], read: (one: Given) => Read) {
  const found: Read[] = []
  const faults: LogError[] = []
  for (const one of all) {
    try {
      found.push(read(one))
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      faults.push(error)
    }
  }
  return { found, faults }
}

/** Of each kind, the parts that are left out by name. */
const mostNamed = 20

/** Parts of a log that are left out, each by name; of very many, how many more there are. */
export function leftOut(faults: readonly LogError[]): string[] {
  const named = faults.slice(0, mostNamed).map(({ message }) => `Left out: ${message}`)
  return faults.length > mostNamed ? [...named, `Left out: ${faults.length - mostNamed} more that cannot be read.`] : named
}

/** The log cannot be read, and why. */
export class LogError extends Error {
  override readonly name = 'LogError'
}

/** Whether a scorer takes these options; why not otherwise. */
export function refusedOptions({ scorer, options }: Pick<Metric, 'scorer' | 'options'>): string | null {
  try {
    prepareScorer({ scorer, options })
    return null
  } catch (error) {
    if (error instanceof ScorerConfigError) return error.message
    throw error
  }
}

/** JSON as Python writes it: NaN and the infinities are null. @throws LogError */
export function parseLogJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    try {
      return JSON.parse(withoutNonNumbers(text))
    } catch {
      throw new LogError(`"${name}": ${mendJson(sameLengthNumbers(text))}`)
    }
  }
}
