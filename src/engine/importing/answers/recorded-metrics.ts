import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { scorerById } from '../../grading/scorers/registry.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import type { MetricPair } from './foreign-log.ts'
import type { GivenAnswer } from './given-answer.ts'

/** Scorer of the scores that files state. */
const recordedScorer = 'assay/recorded_score'

/** As many as a run shows; the rest is named in a warning. */
const mostRecorded = 40

interface Scale {
  readonly lowest: number
  readonly highest: number
}

/** Scales that tools use, the narrowest first; a log does not say which one its scores have. */
const usualScales: readonly Scale[] = [
  { lowest: 0, highest: 1 },
  { lowest: -1, highest: 1 },
  { lowest: 0, highest: 5 },
  { lowest: 0, highest: 10 },
  { lowest: 0, highest: 100 },
]

export interface RecordedScale extends Scale {
  readonly binary: boolean
}

/** A metric that shows what a file says of an answer. */
export function recordedMetric(id: string, name: string, { lowest, highest, binary }: RecordedScale, title: string): Metric {
  const isUnit = lowest === 0 && highest === 1
  return {
    id,
    title: isUnit ? title : `${title}, from ${lowest}–${highest}`,
    scorer: recordedScorer,
    scorer_version: scorerById(recordedScorer).version,
    options: { name, ...(!isUnit && { lowest, highest }), ...(binary && { binary }) },
    binary,
    primary: false,
  }
}

export interface RecordedLog {
  /** The benchmark, graded by the log's own scores alone where nothing here grades it. */
  readonly define: (slug: string, title: string) => BenchmarkDefinition
  /** Of the log's run, beside those of the profile. */
  readonly metrics: readonly Metric[]
  readonly warnings: readonly string[]
}

/**
 * The scores that a log states come along with its answers, each under its name. The log's first score is primary where no scorer here
 * follows its rule; elsewhere it is beside ours.
 */
export function withRecordedScores({
  answers,
  pairs,
  isGraded,
  define,
}: {
  readonly answers: readonly Pick<GivenAnswer, 'scores'>[]
  readonly pairs: readonly MetricPair[]
  readonly isGraded: boolean
  readonly define: RecordedLog['define']
}): RecordedLog {
  const values = new Map<string, number[]>()
  for (const { log } of pairs) values.set(log, [])
  for (const { scores } of answers)
    for (const [name, value] of Object.entries(scores)) {
      const known = values.get(name)
      if (known) known.push(value)
      else values.set(name, [value])
    }
  const derived = new Set(pairs.flatMap(({ log, isDerived }) => (isDerived ? [log] : [])))
  const stated = [...values].filter(([name, of]) => of.length > 0 && !derived.has(name))
  const shared = new Set(pairs.flatMap(({ log, isShared }) => (isShared ? [log] : [])))
  const already = new Set(
    define('log', 'log').profiles.flatMap(({ metrics }) =>
      metrics.flatMap(({ scorer, options }) => (scorer === recordedScorer ? [options['name']] : [])),
    ),
  )
  const kept = stated.filter(([name]) => !already.has(name)).slice(0, mostRecorded)
  const [first] = stated
  const isFirstGraded = first === undefined || already.has(first[0]) || pairs.some(({ log, metric }) => log === first[0] && metric !== null)
  const taken = new Set<string>()
  const metrics = kept.map(([name, of]): Metric => {
    const { binary, ...scale } = scaleOf(of)
    // Which values came tells how an interval is computed, and nothing of the scorer: runs with and without parts of a point compare.
    const metric = recordedMetric(freeId(name, taken), name, { ...scale, binary: false }, `${name}, as recorded`)
    // A score of all answers makes no attempts of them, of which some would pass.
    return { ...metric, binary: binary && !shared.has(name), primary: !isFirstGraded && name === first[0] }
  })
  return {
    define: (slug, title) => {
      const definition = define(slug, title)
      if (isGraded || metrics.length === 0) return definition
      return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, metrics })) }
    },
    metrics,
    warnings: [
      ...kept.flatMap(([name, of]) => {
        const { lowest, highest } = scaleOf(of)
        return lowest === 0 && highest === 1
          ? []
          : [`The log does not state the scale of "${name}"; ${lowest} to ${highest} was taken from its values.`]
      }),
      ...(stated.length - already.size > kept.length
        ? [
            `Scores that were left out, after the first ${mostRecorded}: ${stated
              .slice(mostRecorded)
              .map(([name]) => name)
              .join(', ')
              .slice(0, 500)}.`,
          ]
        : []),
    ],
  }
}

function scaleOf(values: readonly number[]): RecordedScale {
  let lowest = 0
  let highest = 0
  let binary = true
  for (const value of values) {
    lowest = Math.min(lowest, value)
    highest = Math.max(highest, value)
    binary &&= value === 0 || value === 1
  }
  const usual = usualScales.find(scale => lowest >= scale.lowest && highest <= scale.highest)
  return { ...(usual ?? { lowest, highest }), binary }
}

function freeId(name: string, taken: Set<string>): string {
  const base = `recorded_${name.replaceAll(/[^\w-]+/g, '_')}`.slice(0, 60)
  let id = base
  for (let number = 2; taken.has(id); number++) id = `${base}_${number}`
  taken.add(id)
  return id
}
