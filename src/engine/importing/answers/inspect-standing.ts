import { nameFew } from '../../../lib/format/name-few.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { isOtherWord, valueToFloat } from '../../grading/scorers/inspect-ai/value-to-float.ts'
import type { Header, Sample } from './inspect-schemas.ts'

const ends: ReadonlyMap<string, string> = new Map([
  ['started', 'was still running when it was written'],
  ['cancelled', 'was cancelled'],
  ['error', 'ended with an error'],
])
/** Metrics that are a mean of the samples' scores. */
const means: ReadonlySet<string> = new Set(['accuracy', 'mean'])
/** What rounding may make of a figure. */
const closest = 1e-3

/** What a log says of itself that its samples alone do not tell: how it ended, what was taken back, and figures that are not their mean. */
export function standingWarnings(file: string, header: Header, samples: readonly Sample[]): string[] {
  const { status, invalidated, eval: spec } = header
  // `samples` counts the whole data set, also where the evaluation was limited to some of it.
  const planned = (spec.dataset?.sample_ids?.length ?? spec.dataset?.samples ?? 0) * (spec.config?.epochs ?? 1)
  // The journal of an evaluation that broke off has no status; nor have logs of other programs, whose data set may be limited.
  const isCounted = Boolean(spec.packages ?? spec.dataset?.sample_ids)
  const ended = ends.get(status ?? '') ?? (status == null && isCounted && planned > samples.length ? 'broke off' : undefined)
  const limited = samples.filter(({ limit }) => limit)
  const invalid = samples.filter(({ invalidation }) => invalidation !== null && invalidation !== undefined).length
  const edited = samples.filter(sample => Object.values(scoresOf(sample)).some(({ history }) => (history ?? []).length > 0)).length
  const said = [
    ...(ended === undefined
      ? []
      : [
          `the evaluation ${ended}${planned > samples.length ? `, with ${formatCount(samples.length)} of ${formatCount(planned)} samples` : ''}`,
        ]),
    ...(invalidated === true || invalid > 0
      ? [invalid > 0 ? `${countOf(invalid)} marked as invalid and imported all the same` : 'it was marked as invalid']
      : []),
    ...(limited.length === 0
      ? []
      : [`${countOf(limited.length)} stopped by a limit (${[...new Set(limited.map(({ limit }) => limit?.type ?? ''))].join(', ')})`]),
    ...(edited === 0
      ? []
      : [
          `scores of ${formatCount(edited)} ${edited === 1 ? 'sample' : 'samples'} were edited after the run; what they were changed to is imported`,
        ]),
    ...wordScores(samples),
    ...otherFigures(header, samples),
  ]
  return said.map(text => `"${file}": ${text}.`)
}

const countOf = (count: number): string => `${formatCount(count)} ${count === 1 ? 'sample was' : 'samples were'}`

function scoresOf({ scores, score }: Sample): NonNullable<Sample['scores']> {
  return scores ?? (score ? { score } : {})
}

/** Scores that are words of their scorer, such as the kind of an answer. */
function wordScores(samples: readonly Sample[]): string[] {
  const words = new Map<string, Set<string>>()
  for (const sample of samples)
    for (const [name, { value }] of Object.entries(scoresOf(sample)))
      if (isOtherWord(value)) words.set(name, (words.get(name) ?? new Set()).add(String(value).trim().slice(0, 40)))
  return Array.from(words, ([name, said]) => {
    const few = nameFew(
      [...said].map(word => `"${word}"`),
      5,
    )
    return `scores of "${name}" are words (${few}), which Inspect counts as 0; they are kept as labels`
  })
}

/** Figures that are reduced from epochs in another way, or computed in one that the log alone knows. */
function otherFigures({ results }: Header, samples: readonly Sample[]): string[] {
  return (results?.scores ?? []).flatMap(({ name, reducer, metrics }) =>
    Object.entries(metrics ?? {}).flatMap(([key, { name: metric, value, group }]) => {
      const mean = meanOf(name, samples)
      if (!means.has(metric ?? key) || value == null || group || mean === null || Math.abs(mean - value) <= closest) return []
      const reduced = reducer && reducer !== 'mean' ? `, with epochs reduced by ${reducer}` : ''
      return [
        `${metric ?? key} of "${name}" is ${shown(value)} in the log${reduced}, and ${shown(mean)} as the mean of its recorded scores, which is what results here show`,
      ]
    }),
  )
}

/** The mean over samples of the mean of their epochs; null where none has such a score. */
function meanOf(name: string, samples: readonly Sample[]): number | null {
  const values = samples.flatMap(sample => {
    const value = scoresOf(sample)[name]?.value
    return value === null || value === undefined || typeof value === 'object' ? [] : [{ id: sample.id, value: valueToFloat(value) }]
  })
  const each = [...Map.groupBy(values, ({ id }) => id).values()].map(group => average(group.map(({ value }) => value)))
  return each.length === 0 ? null : average(each)
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const shown = (value: number): string => String(Number(value.toPrecision(4)))
