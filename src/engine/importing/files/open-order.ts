import { Readable } from 'node:stream'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import { severalRightProfile } from '../../content/benchmarks/choice-profile.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import type { Task } from '../../tasks/task.ts'
import { scoreName } from '../answers/answer-columns.ts'
import { recordedMetric } from '../answers/recorded-metrics.ts'
import { findRecipe } from '../recipes/recipes.ts'
import { inspectDataset } from './foreign/inspect-dataset.ts'
import { openOpenAiEvals } from './foreign/openai-evals.ts'
import { openPromptfoo, openPromptfooTable } from './foreign/promptfoo-config.ts'
import { type ImportOrder, type OpenedOrder, type OrderedFile, type OwnFormat, sourceOf } from './import-order.ts'
import { anyKey, type ImportSource } from './import-source.ts'
import { noShots } from './import-tally.ts'
import { importLimits } from './limits.ts'
import { openLmEvalTask } from './lm-eval/open-task.ts'
import { MediaIntake } from '../media/media-intake.ts'
import type { WantedColumns } from './column-mapping.ts'
import { type MappedTable, mappedTable } from './mapped-table.ts'
import { clusterKey, dateKey, withSettings } from './own-profile.ts'
import type { Row, RowOrProblem } from './row.ts'

/** @throws OrderFault where what the files say of themselves cannot be done */
export function openOrder(
  { what, files }: ImportOrder,
  storedPart: StoredPart = noStoredParts,
  media: MediaSetting = { intake: new MediaIntake(), paths: [] },
): OpenedOrder {
  if (what.kind === 'recipe') return openRecipe(what.recipe, files, what.base === undefined ? noStoredParts : storedPart, media.intake)
  const { format } = what
  if (format === 'lm_eval_yaml')
    return { ...openLmEvalTask(what, files, media.intake), media: media.intake, noted: () => media.intake.warnings() }
  if (format === 'openai_evals_jsonl') {
    const order = openOpenAiEvals(what, files, media.intake)
    return { ...order, media: media.intake, noted: () => [...media.intake.warnings(), ...unusedFiles(media.paths, media.intake.usedPaths)] }
  }
  if (format === 'promptfoo_yaml') return openPromptfoo(what, files, media.intake)
  if (format === 'promptfoo_csv') return openPromptfooTable(what, files)
  return openOwn({ ...what, format }, files, media)
}

interface MediaSetting {
  readonly intake: MediaIntake
  /** Files that rows may name. */
  readonly paths: readonly string[]
}

/** Tasks of a part as an earlier version has them; empty where it lacks the part. */
export type StoredPart = (by: string, part: string) => readonly Task[]

const noStoredParts: StoredPart = () => []

function openRecipe(id: string, files: readonly OrderedFile[], storedPart: StoredPart, intake: MediaIntake): OpenedOrder {
  const recipe = findRecipe(id)
  if (!recipe) throw new Error(`There is no recipe "${id}".`)
  const { definition, parts } = recipe
  const unknown = files.find(file => !recipe.files.some(({ role }) => role === file.role))
  if (unknown) throw new Error(`The recipe "${id}" has no file "${unknown.role}".`)
  return {
    sources: recipe.files.flatMap(wanted => {
      const brought = files.filter(({ role }) => role === wanted.role)
      if (brought.length > 0) return brought.map(file => sourceOf(file, reading(wanted.content, intake)))
      const kept = parts?.inFiles ? storedPart(parts.by, wanted.role) : []
      return kept.length > 0 ? [keptPart(wanted.role, kept)] : []
    }),
    shots: {
      count: Math.max(0, ...definition.profiles.map(profile => profile.shots)),
      by: definition.profiles.find(profile => profile.shotsBy !== undefined)?.shotsBy ?? null,
    },
    media: intake,
    noted: () => intake.warnings(),
    define: ({ chanceLevel }) => withChance(definition, chanceLevel),
  }
}

/** A recipe's reader, which is handed what takes the files of a row. */
function reading(content: ImportSource['content'], intake: MediaIntake): ImportSource['content'] {
  return content.holds === 'tasks' ? { ...content, read: (row: Row) => content.read(row, intake) } : content
}

/** A part of an earlier version, as a source of tasks that were read long ago. */
function keptPart(role: string, tasks: readonly Task[]): ImportSource {
  const rows = tasks.map((task, i): RowOrProblem => ({ kind: 'row', line: i + 1, value: { ...task.fields } }))
  const read = ({ position }: Row): Task => {
    const task = tasks[position - 1]
    if (!task) throw new RangeError(`The part "${role}" has no task ${position}.`)
    return task
  }
  return { name: role, content: { format: { kind: 'given', rows }, holds: 'tasks', read }, open: () => Readable.from([]) }
}

type TableFormat = Exclude<OwnFormat, 'lm_eval_yaml' | 'openai_evals_jsonl' | 'promptfoo_yaml' | 'promptfoo_csv'>

function openOwn(
  {
    format,
    mapping,
    profile,
    leaveOut = false,
    title,
    slug,
  }: Extract<ImportOrder['what'], { kind: 'own' }> & { readonly format: TableFormat },
  files: readonly OrderedFile[],
  { intake, paths }: MediaSetting,
): OpenedOrder {
  const settings = profile ?? {}
  const noted = (): string[] => [...intake.warnings(), ...unusedFiles(paths, intake.usedPaths)]
  let table: MappedTable | null = null
  const define: OpenedOrder['define'] = ({ preview, chanceLevel }) =>
    withChance(
      withSettings(brokenDownBy(tagsOf(mapping), ownTasks(title, slug, preview[0])), table?.columns() ?? null, settings),
      chanceLevel,
    )
  if (format === 'inspect_jsonl') {
    const dataset = inspectDataset(intake)
    const content = { ...dataset.content, leaveOut }
    return {
      sources: files.map(file => sourceOf(file, content)),
      shots: noShots,
      media: intake,
      noted: () => [...noted(), ...dataset.noted()],
      define: found => (dataset.hasSeveralRight() ? withSeveralRight(define({ ...found, chanceLevel: null })) : define(found)),
    }
  }
  const [file] = files
  if (!file) throw new Error('An import of a table has no file.')
  const mapped = mappedTable(format === 'json' ? { kind: 'json', key: anyKey } : { kind: format }, mapping, settings, { intake, leaveOut })
  table = mapped
  const source = sourceOf(file, mapped.content)
  return {
    sources: [source],
    shots: { count: settings.shots ?? 0, by: null },
    media: intake,
    noted,
    survey: () => mapped.survey(source, importLimits),
    definedByFiles: profile !== undefined,
    define,
  }
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
  const more = unused.length > 5 ? ` and ${unused.length - 5} more` : ''
  return [`No row names ${unused.length === 1 ? 'one file' : `${unused.length} files`}: ${unused.slice(0, 5).join(', ')}${more}.`]
}

function tagsOf({ groups = [], cluster, date }: WantedColumns): string[] {
  return [...new Set([...groups, ...(cluster ? [clusterKey] : []), ...(date ? [dateKey] : [])])]
}

function brokenDownBy(breakdowns: readonly string[], definition: BenchmarkDefinition): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, breakdowns })) }
}

/** Blind guessing depends on the choices, which only the data tell. */
function withChance(definition: BenchmarkDefinition, chanceLevel: number | null): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, chanceLevel: profile.chanceLevel ?? chanceLevel })) }
}
