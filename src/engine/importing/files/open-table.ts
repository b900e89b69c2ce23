import { nameFew } from '../../../lib/format/name-few.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import { severalRightProfile } from '../../content/benchmarks/choice-profile.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import { scoreName } from '../answers/answer-columns.ts'
import { recordedMetric } from '../answers/recorded-metrics.ts'
import type { Columns, WantedColumns } from './column-mapping.ts'
import { inspectDataset } from './foreign/inspect-dataset.ts'
import { type MediaSetting, type OpenedOrder, type OrderedFile, type OwnOrder, sourceOf } from './import-order.ts'
import { anyJson, anyKey, type RowFormat } from './import-source.ts'
import { noShots, type Tallied } from './import-tally.ts'
import { importLimits } from './limits.ts'
import { mappedTable } from './mapped-table.ts'
import { clusterKey, dateKey, withSettings } from './own-profile.ts'
import { withChance } from './with-chance.ts'

/** How the rows of a table are read, by its format. */
export const rowFormats = {
  jsonl: { kind: 'jsonl' },
  json: { kind: 'json', key: anyKey },
  csv: { kind: 'csv' },
  parquet: { kind: 'parquet' },
} as const satisfies Readonly<Record<string, RowFormat>>

type TableFormat = keyof typeof rowFormats

/** A table by its columns, or by the prompt and metrics that the user gives. */
export function openTable(format: TableFormat, own: OwnOrder, files: readonly OrderedFile[], media: MediaSetting): OpenedOrder {
  const { mapping, leaveOut = false } = own
  const settings = own.profile ?? {}
  const [file] = files
  if (!file) throw new Error('An import of a table has no file.')
  // Read twice: by the survey, too.
  const beside = new Set<string>()
  const read = format === 'json' ? anyJson(warning => beside.add(warning)) : rowFormats[format]
  const mapped = mappedTable(read, mapping, settings, { intake: media.intake, leaveOut })
  const source = sourceOf(file, mapped.content)
  return {
    sources: [source],
    shots: { count: settings.shots ?? 0, by: null },
    media: media.intake,
    noted: () => [...notedBy(media), ...beside, ...mapped.noted()],
    survey: () => mapped.survey(source, importLimits),
    definedByFiles: own.profile !== undefined,
    define: found => ownDefinition(own, found, mapped.columns()),
  }
}

/** A dataset of Inspect, whose fields are known. */
export function openInspect(own: OwnOrder, files: readonly OrderedFile[], media: MediaSetting): OpenedOrder {
  const dataset = inspectDataset(media.intake)
  const { leaveOut = false } = own
  return {
    sources: files.map(file => sourceOf(file, { ...dataset.contentOf(file.name), leaveOut })),
    shots: noShots,
    leftParts: () => ({ parts: dataset.leftParts(), isAccepted: leaveOut }),
    media: media.intake,
    noted: () => [...notedBy(media), ...dataset.noted()],
    define: found =>
      dataset.hasSeveralRight()
        ? withSeveralRight(ownDefinition(own, { ...found, chanceLevel: null }, null))
        : ownDefinition(own, found, null),
  }
}

/** What came up with the files that rows name. */
export function notedBy({ intake, paths }: MediaSetting): string[] {
  return [...intake.warnings(), ...unusedFiles(paths, intake.usedPaths)]
}

function ownDefinition({ mapping, profile = {}, title, slug }: OwnOrder, { preview, chanceLevel }: Tallied, columns: Columns | null) {
  return withChance(withSettings(brokenDownBy(tagsOf(mapping), ownTasks(title, slug, preview[0])), columns, profile), chanceLevel)
}

/** Tasks without reference answers show the scores that files state: nothing can be compared with their outputs. */
function ownTasks(title: string, slug: string, first: { readonly targets: readonly string[]; readonly choices: unknown } | undefined) {
  const own = ownBenchmark(title, slug, first?.choices != null)
  if (first?.targets.length !== 0) return own
  const recorded = recordedMetric('recorded_score', scoreName, { lowest: 0, highest: 1, binary: false }, 'Recorded score')
  return { ...own, profiles: own.profiles.map(profile => ({ ...profile, metrics: [{ ...recorded, primary: true }] })) }
}

function withSeveralRight(definition: BenchmarkDefinition): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, ...severalRightProfile })) }
}

/** Names of files that no row names, for a warning. */
function unusedFiles(paths: readonly string[], used: ReadonlySet<string>): string[] {
  const unused = paths.filter(path => !used.has(path))
  if (unused.length === 0) return []
  return [`No row names ${unused.length === 1 ? 'one file' : `${unused.length} files`}: ${nameFew(unused, 5)}.`]
}

function tagsOf({ groups = [], cluster, date }: WantedColumns): string[] {
  return [...new Set([...groups, ...(cluster ? [clusterKey] : []), ...(date ? [dateKey] : [])])]
}

function brokenDownBy(breakdowns: readonly string[], definition: BenchmarkDefinition): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, breakdowns })) }
}
