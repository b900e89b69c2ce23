import { z } from 'zod'

/** Characters of a group's name: what is longer is a text. */
const longestName = 80
const mostGroups = 50
const mostKeys = 8

const Scalar = z.union([z.string().trim().min(1).max(longestName), z.number().transform(String), z.boolean().transform(String)])
const Grouped = z.looseObject({ options: z.looseObject({ group_key: z.string() }) })

interface Described {
  readonly id: string
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

/** A group's name as a sample states it; null where it states none. */
function groupOf({ metadata }: Described, key: string): string | null {
  return Scalar.safeParse(metadata != null && Object.hasOwn(metadata, key) ? metadata[key] : undefined).data ?? null
}

/**
 * Keys of metadata that sort samples into groups: those by which the log's own metrics are grouped, and those that every sample has with
 * few different values.
 * @param metrics of the scorers, whatever their form
 */
export function groupKeys(samples: readonly Described[], metrics: unknown): string[] {
  const stated = statedKeys(metrics).filter(key => samples.some(sample => groupOf(sample, key) !== null))
  const tasks = [...new Map(samples.map(sample => [sample.id, sample])).values()]
  const sorting = Object.keys(tasks[0]?.metadata ?? {}).filter(key => {
    const names = tasks.map(task => groupOf(task, key))
    const different = new Set(names).size
    return !names.includes(null) && different > 1 && different <= Math.min(mostGroups, names.length / 2)
  })
  return [...new Set([...stated, ...sorting])].slice(0, mostKeys)
}

export function groupsOf(sample: Described, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    keys.flatMap(key => {
      const name = groupOf(sample, key)
      return name === null ? [] : [[key, name]]
    }),
  )
}

/** Of `grouped` metrics, wherever they are: a list, or lists by the parts of a score. */
function statedKeys(metrics: unknown): string[] {
  const grouped = Grouped.safeParse(metrics).data
  if (grouped) return [grouped.options.group_key]
  return typeof metrics === 'object' && metrics !== null ? Object.values(metrics).flatMap(statedKeys) : []
}
