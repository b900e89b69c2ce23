import { posix } from 'node:path'
import { z } from 'zod'
import { describeFirst } from '../../../../contract/describe-issue.ts'
import { orderFault } from '../order-fault.ts'
import { isTemplate } from '../../templates/template.ts'
import type { YamlFile } from '../read-yaml.ts'

const Text = z.union([z.string(), z.number()]).transform(String)
const Names = z.union([Text.transform(one => [one]), z.array(Text)])

const FilterStep = z.looseObject({ function: z.string() })
export type FilterStep = z.infer<typeof FilterStep>
const MetricEntry = z.looseObject({ metric: z.string() })
export type MetricEntry = z.infer<typeof MetricEntry>

/** The declarative part of a task, under the names that lm-evaluation-harness gives. Other keys are left out with a warning. */
const TaskConfig = z.object({
  task: z.string().optional(),
  task_alias: z.string().optional(),
  dataset_path: z.string().optional(),
  dataset_name: z.string().nullish(),
  dataset_kwargs: z
    .looseObject({
      // Files without the name of a split are those of "train".
      data_files: z
        .union([Names.transform((train): Record<string, string[]> => ({ train })), z.record(z.string(), Names)])
        .optional()
        .catch(undefined),
    })
    .nullish(),
  training_split: z.string().nullish(),
  validation_split: z.string().nullish(),
  test_split: z.string().nullish(),
  fewshot_split: z.string().nullish(),
  doc_to_text: z.string(),
  doc_to_target: z.union([z.string(), z.number(), z.array(Text)]),
  doc_to_image: z.union([z.string(), Names]).nullish(),
  doc_to_audio: z.union([z.string(), Names]).nullish(),
  doc_to_choice: z.union([z.string(), z.array(Text), z.record(z.string(), Text).transform(of => Object.values(of))]).nullish(),
  description: z.string().default(''),
  gen_prefix: z.string().nullish(),
  target_delimiter: z.string().default(' '),
  fewshot_delimiter: z.string().default('\n\n'),
  fewshot_config: z
    .looseObject({ sampler: z.string().optional(), samples: z.array(z.record(z.string(), z.unknown())).optional() })
    .nullish(),
  num_fewshot: z.int().min(0).max(100).nullish(),
  output_type: z.string().default('generate_until'),
  generation_kwargs: z
    .looseObject({
      until: Names.optional(),
      do_sample: z.boolean().optional(),
      temperature: z.number().min(0).max(2).optional(),
      max_gen_toks: z.int().min(1).optional(),
    })
    .nullish(),
  repeats: z.int().min(1).default(1),
  filter_list: z.array(z.object({ name: z.string(), filter: z.array(FilterStep) })).nullish(),
  metric_list: z.array(MetricEntry).nullish(),
  tag: Names.nullish(),
  metadata: z.looseObject({ version: z.union([z.string(), z.number()]).optional() }).nullish(),
})
export type TaskConfig = z.infer<typeof TaskConfig>

/** Whether no task of these settings has text before what is measured, but for worked examples. */
export function isWithoutContext({ doc_to_text, description, gen_prefix }: TaskConfig): boolean {
  return doc_to_text === '' && description === '' && !gen_prefix
}

/** What a task may have and an import cannot do; each would make other tasks of it. */
const refused: Readonly<Record<string, string>> = {
  process_docs: 'changes the data by a program',
  process_results: 'grades by a program',
  custom_dataset: 'makes the data by a program',
  use_prompt: 'takes its prompt from another project',
  class: 'is a Python class',
}

/** Ignored: changes neither the prompt nor the grading. */
const immaterial = new Set([
  'include',
  'should_decontaminate',
  'doc_to_decontamination_query',
  'doc_to_decontamination',
  'unsafe_code',
  ...Object.keys(refused),
])

/** Parts of `fewshot_config` that change nothing, or that are executed. */
const knownExamples = new Set(['sampler', 'samples', 'split'])

export interface ReadTask {
  readonly config: TaskConfig
  /** The file with the task itself. */
  readonly file: YamlFile
  readonly warnings: readonly string[]
}

/**
 * The task of a file, or of an entry of a group, on top of what it includes.
 * @param merged keys with what was included
 * @throws OrderFault naming the line of what cannot be imported
 */
export function parseTask(merged: Readonly<Record<string, unknown>>, file: YamlFile): ReadTask {
  for (const [key, why] of Object.entries(refused))
    if (isSet(merged[key])) throw orderFault(file.name, file.lineOf(key), `"${key}" ${why}, which cannot be imported.`)
  if (merged['unsafe_code'] === true)
    throw orderFault(file.name, file.lineOf('unsafe_code'), '"unsafe_code" runs answers as programs, which cannot be imported.')
  const config = TaskConfig.safeParse(merged)
  if (!config.success) {
    const [issue] = config.error.issues
    const key = String(issue?.path[0] ?? '')
    const found = key === '' || merged[key] === undefined ? '' : ` It is ${JSON.stringify(merged[key]).slice(0, 100)}.`
    throw orderFault(file.name, file.lineOf(key), `${describeFirst(config.error.issues)}.${found}`)
  }
  refuseShown(config.data, file)
  const strange = Object.keys(config.data.fewshot_config ?? {}).find(key => !knownExamples.has(key))
  if (strange !== undefined && (config.data.num_fewshot ?? 0) > 0)
    throw orderFault(
      file.name,
      file.lineOf('fewshot_config'),
      `"fewshot_config" has "${strange.slice(0, 60)}", which cannot be imported; examples are the first of their file, or listed in "samples".`,
    )
  const unknown = Object.keys(merged).filter(key => !Object.hasOwn(TaskConfig.shape, key) && !immaterial.has(key))
  const warnings = unknown.length > 0 ? [`Left out, since it is not known here: ${unknown.slice(0, 20).join(', ')}.`] : []
  if (Array.isArray(config.data.doc_to_choice) && config.data.doc_to_choice.some(isTemplate))
    warnings.push('The harness takes the templates in "doc_to_choice" as they stand; here they are filled in from each row.')
  return { config: config.data, file, warnings }
}

/** Pictures and sounds stand in the prompt of a generated answer alone. */
function refuseShown(config: TaskConfig, file: YamlFile): void {
  const key = (['doc_to_image', 'doc_to_audio'] as const).find(one => config[one] != null)
  if (key === undefined) return
  if (config.output_type !== 'generate_until')
    throw orderFault(
      file.name,
      file.lineOf(key),
      `"${key}" with "output_type: ${config.output_type}" cannot be imported: files are shown where answers are generated.`,
    )
  if ((config.num_fewshot ?? 0) > 0)
    throw orderFault(file.name, file.lineOf('num_fewshot'), `"${key}" with worked examples cannot be imported. Set "num_fewshot" to 0.`)
}

/** What a task and its data set are called. */
export interface TaskNames {
  readonly name: string
  readonly file: YamlFile
  readonly config: Pick<TaskConfig, 'task_alias' | 'dataset_path' | 'dataset_name' | 'dataset_kwargs'>
}

const NamingKeys = TaskConfig.pick({ task_alias: true, dataset_path: true, dataset_name: true, dataset_kwargs: true })

/** The names of a task that is not imported itself. */
export function taskNames(merged: Readonly<Record<string, unknown>>, file: YamlFile, name: string): TaskNames {
  const config = NamingKeys.safeParse(merged)
  return { name, file, config: config.success ? config.data : {} }
}

/** Keys whose values are left out one by one where they are Python, because others may remain. */
const partly = new Set(['filter_list', 'metric_list'])

/**
 * @param isUsed whether a key of the file is the task's own, and not replaced by what includes it
 * @throws OrderFault for every `!function` that would change what is asked, or how every answer is graded
 */
export function refusePython({ name, tagged }: YamlFile, isUsed: (key: string) => boolean): void {
  const first = tagged.find(({ within }) => !partly.has(within) && isUsed(within))
  if (!first) return
  const { path, tag, text, line } = first
  throw orderFault(
    name,
    line,
    `"${path}" is "${`${tag} ${text}`.trim().slice(0, 100)}", which is Python. Only the declarative part of a task can be imported.`,
  )
}

/** The keys of a file on top of those of the files that it includes. */
export function withIncludes(file: YamlFile, all: readonly YamlFile[], within: readonly string[] = []): Record<string, unknown> {
  if (within.includes(file.name)) throw orderFault(file.name, file.lineOf('include'), `"${file.name}" includes itself.`)
  const below = includesOf(file).map(path => {
    const found = includedFile(file, path, all)
    if (!found)
      throw orderFault(
        file.name,
        file.lineOf('include'),
        `It includes "${path.slice(0, 200)}", which was not sent; send it beside the task.`,
      )
    return withIncludes(found, all, [...within, file.name])
  })
  return Object.fromEntries([...below, settingsOf(file)].flatMap(settings => Object.entries(settings)))
}

/** Which of a file and those that it includes each key is from. */
export function keyOwners(file: YamlFile, all: readonly YamlFile[]): ReadonlyMap<string, YamlFile> {
  const below = includesOf(file).flatMap(path => includedFile(file, path, all) ?? [])
  return new Map([...below.flatMap(one => [...keyOwners(one, all)]), ...Object.keys(settingsOf(file)).map(key => [key, file] as const)])
}

/** The file at this path from the folder of another; where files came without folders, the one of this name. */
export function includedFile({ name }: YamlFile, path: string, all: readonly YamlFile[]): YamlFile | null {
  const { byPath, byName } = placesOf(all)
  const there = byPath.get(pathFrom(name, path))
  if (there) return there
  const called = byName.get(baseName(path)) ?? []
  return called.length === 1 ? (called[0] ?? null) : null
}

interface Places {
  readonly byPath: ReadonlyMap<string, YamlFile>
  readonly byName: ReadonlyMap<string, readonly YamlFile[]>
}

const places = new WeakMap<readonly YamlFile[], Places>()

/** Files by their places: each of a folder of thousands names one that it includes. */
function placesOf(all: readonly YamlFile[]): Places {
  const known = places.get(all)
  if (known) return known
  const found = {
    byPath: new Map(all.toReversed().map(file => [file.name, file] as const)),
    byName: Map.groupBy(all, ({ name }) => baseName(name)),
  }
  places.set(all, found)
  return found
}

/** A relative path, from the folder of a file. */
export function pathFrom(file: string, path: string): string {
  return posix.join(posix.dirname(file), path.replaceAll('\\', '/'))
}

export function includesOf(file: YamlFile): string[] {
  const { include } = settingsOf(file)
  const paths = Names.safeParse(include ?? [])
  if (!paths.success) throw orderFault(file.name, file.lineOf('include'), '"include" must be a path or a list of paths.')
  return paths.data
}

/** The keys of a file itself. @throws OrderFault where it has none */
export function settingsOf({ name, value }: YamlFile): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw orderFault(name, null, 'The file must hold keys with values, not a list or a single text.')
  return Object.fromEntries(Object.entries(value))
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false
}

/** The name of a file, as it is sent. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
