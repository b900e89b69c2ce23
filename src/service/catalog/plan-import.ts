import type { BenchmarkVersion } from '../../contract/catalog/benchmarks.schemas.ts'
import { fileFormats, isTableFormat } from '../../contract/catalog/file-formats.ts'
import { ImportForm, type ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { slugOf } from '../../engine/content/benchmarks/own-benchmark.ts'
import { type FetchedFile, fetchedFiles, type Recipe } from '../../engine/importing/recipes/recipe.ts'
import { findRecipe, recipes } from '../../engine/importing/recipes/recipes.ts'
import { archiveRole, type ImportOrder } from '../../engine/importing/files/import-order.ts'
import type { ProfileSettings } from '../../engine/importing/files/own-profile.ts'
import { mixedScriptsCaution } from '../../lib/format/mixed-scripts.ts'
import { chosenMetrics, formatMetrics } from './chosen-metrics.ts'
import { parseObject, parsePart } from '../http/parse-input.ts'
import { type AssignedFile, assignRoles } from './assign-roles.ts'
import { isKnownSlug } from './known-slugs.ts'
import type { ReceivedFile, ReceivedForm } from './receive-upload.ts'

interface PlannedFile {
  readonly file: ReceivedFile
  readonly role: string
}

/** What an upload is going to be, before any row is read. */
export interface ImportPlan {
  readonly origin: 'recipe' | 'imported'
  readonly slug: string
  readonly recipe: string | null
  readonly format: string | null
  readonly version: string | null
  readonly dryRun: boolean
  /** Files that hold tasks come after those that hold worked examples; the order decides the order of tasks. */
  readonly files: readonly PlannedFile[]
  /** For the thread that reads them; its files are these, in the same order. */
  readonly order: ImportOrder
  readonly warnings: readonly string[]
  /** Whether a file that is not the one upstream published is refused instead of imported with a warning. */
  readonly refusesOthers: boolean
  /** Files of the version that it extends; empty where it extends none. */
  readonly base: readonly BenchmarkVersion['files'][number][]
}

/** What is to be downloaded, and the import that it is then. */
export interface FetchPlan {
  readonly wanted: readonly FetchedFile[]
  readonly planOf: (fetched: readonly AssignedFile[]) => ImportPlan
}

/** Reads the form's text fields. Values that are not text are written as JSON. */
export function parseForm(fields: ReceivedForm['fields']): ImportForm {
  const { mapping, profile, fetch, fetch_media, leave_out, dry_run, ...texts } = fields
  const raw = {
    ...texts,
    ...(mapping === undefined ? {} : { mapping: parseObject('mapping', mapping) }),
    ...(profile === undefined ? {} : { profile: parseObject('profile', profile) }),
    ...(fetch_media === undefined ? {} : { fetch_media: parseObject('fetch_media', fetch_media) }),
    ...(fetch === undefined ? {} : { fetch: truthOf(fetch) }),
    ...(leave_out === undefined ? {} : { leave_out: truthOf(leave_out) }),
    ...(dry_run === undefined ? {} : { dry_run: truthOf(dry_run) }),
  }
  // The schema that parsed it is the one that the type was inferred from.
  return parsePart(ImportForm, raw, 'body') as ImportForm
}

function truthOf(text: string): boolean | string {
  return text === 'true' ? true : text === 'false' ? false : text
}

/** @throws ApiError naming the field that does not fit */
export function planFetch(form: ImportForm, files: readonly ReceivedFile[]): FetchPlan {
  if (files.length > 0) throw invalidField(['body', 'file'], 'is not for an import with "fetch"; give one or the other')
  if (form.recipe === undefined || form.format !== undefined)
    throw invalidField(['body', 'fetch'], 'is for imports with "recipe" only; a recipe states the addresses')
  const recipe = knownRecipe(form, form.recipe)
  const wanted = fetchedFiles(recipe)
  if (wanted.length === 0) {
    const unavailable = recipe.files.filter(file => file.required && file.download === null)
    const pages = unavailable.map(file => `${file.fileName} (see ${file.url})`).join(' and ')
    throw invalidField(
      ['body', 'fetch'],
      `the data of the recipe "${form.recipe}" cannot be fetched, since no fixed address answers with it: get ${pages} and send it as a file`,
    )
  }
  return { wanted, planOf: fetched => recipePlan(form, recipe, fetched, []) }
}

/** The version of a recipe's benchmark that an import extends, by its source ref. */
export type FindBase = (
  slug: string,
  sourceRef: string,
) => { readonly no: number; readonly files: readonly BenchmarkVersion['files'][number][] } | null

/** @throws ApiError naming the field that does not fit */
export function planImport(form: ImportForm, files: readonly ReceivedFile[], findBase: FindBase): ImportPlan {
  if (files.length === 0) throw invalidField(['body', 'file'], 'is required', 'missing')
  if ((form.recipe === undefined) === (form.format === undefined)) throw invalidField(['body'], 'give either "recipe" or "format"')
  // A folder whose files name each other.
  const named =
    form.format !== undefined && fileFormats[form.format].takesSeveral
      ? files
      : files.map(file => ({ ...file, name: file.name.split('/').at(-1) ?? '' }))
  return form.recipe === undefined ? planOwn(form, named) : planRecipe(form, form.recipe, named, findBase)
}

function planRecipe(form: ImportForm, id: string, files: readonly ReceivedFile[], findBase: FindBase): ImportPlan {
  const recipe = knownRecipe(form, id)
  const { assigned, archives, warnings } = assignRoles(recipe, files)
  const plan = recipePlan(form, recipe, assigned, warnings)
  const packed = archives.map(file => ({ file, role: archiveRole }))
  const base = baseOf(form, recipe, findBase)
  return {
    ...plan,
    files: [...plan.files, ...packed],
    base: base?.files ?? [],
    order: { what: { kind: 'recipe', recipe: id, base: base?.no }, files: [...plan.order.files, ...packed.map(orderedFile)] },
  }
}

function baseOf({ extends: sourceRef }: ImportForm, { definition, parts }: Recipe, findBase: FindBase): ReturnType<FindBase> {
  if (sourceRef === undefined) return null
  if (!parts?.inFiles) throw invalidField(['body', 'extends'], `is for recipes whose parts are files; "${definition.slug}" is one whole`)
  const base = findBase(definition.slug, sourceRef)
  if (!base) throw invalidField(['body', 'extends'], `the workspace has no version "${sourceRef}" of "${definition.slug}"`)
  return base
}

function knownRecipe(form: ImportForm, id: string): Recipe {
  const recipe = findRecipe(id)
  if (!recipe)
    throw invalidField(['body', 'recipe'], `there is no recipe "${id}"; there are ${recipes.map(r => r.definition.slug).join(', ')}`)
  for (const field of ['name', 'mapping', 'profile'] as const) {
    if (form[field] !== undefined) throw invalidField(['body', field], 'is for imports with "format"; a recipe knows it')
  }
  if (form.leave_out) throw invalidField(['body', 'leave_out'], 'is for promptfoo files; a recipe is imported whole')
  return recipe
}

function recipePlan(form: ImportForm, recipe: Recipe, assigned: readonly AssignedFile[], warnings: readonly string[]): ImportPlan {
  const id = recipe.definition.slug
  const planned = assigned.map(({ file, wanted }) => ({ file, role: wanted.role }))
  return {
    origin: 'recipe',
    slug: recipe.definition.slug,
    recipe: id,
    format: null,
    version: form.version ?? null,
    dryRun: form.dry_run,
    files: planned,
    order: { what: { kind: 'recipe', recipe: id }, files: planned.map(orderedFile) },
    warnings,
    refusesOthers: form.fetch,
    base: [],
  }
}

function planOwn(form: ImportForm, files: readonly ReceivedFile[]): ImportPlan {
  if (form.extends !== undefined) throw invalidField(['body', 'extends'], 'is for imports with "recipe"; a recipe knows its parts')
  const [file] = files
  const kind = form.format ?? 'jsonl'
  if (!file || (files.length > 1 && !fileFormats[kind].takesSeveral))
    throw invalidField(['body', 'file'], `an import with the format "${kind}" takes one file; ${files.length} were sent`)
  if (form.task !== undefined && !fileFormats[kind].choosesTask)
    throw invalidField(
      ['body', 'task'],
      `is for lm-evaluation-harness and OpenAI evals; files of the format "${kind}" hold one set of tasks`,
    )
  const repeated = files.find((one, i) => files.findIndex(other => other.name === one.name) !== i)
  if (repeated) throw invalidField(['body', 'file'], `two files are called "${repeated.name}"`)
  const named = files.find(one => /\.ya?ml$/i.test(one.name)) ?? file
  const title =
    form.name ??
    (named.name.split('/').at(-1) ?? '').replace(/(\.(jsonl|json|csv|tsv|xlsx|txt|parquet|ya?ml|gz|zst|bz2|xz|zip|tar|tgz))+$/i, '')
  const slug = slugOf(title)
  if (isKnownSlug(slug))
    throw invalidField(['body', 'name'], `"${slug}" is a benchmark that Assay knows; choose another name, or import it with its recipe`)
  const planned = files.map(one => ({ file: one, role: /\.ya?ml$/i.test(one.name) ? 'settings' : 'tasks' }))
  return {
    origin: 'imported',
    slug,
    recipe: null,
    format: kind,
    version: form.version ?? null,
    dryRun: form.dry_run,
    files: planned,
    order: {
      what: {
        kind: 'own',
        format: kind,
        mapping: form.mapping ?? {},
        profile: settingsOf(form, kind),
        leaveOut: form.leave_out,
        task: form.task,
        title,
        slug,
      },
      files: planned.map(orderedFile),
    },
    warnings: [title].flatMap(name => mixedScriptsCaution(name) ?? []),
    refusesOthers: false,
    base: [],
  }
}

/** @throws ApiError naming the metric that cannot be computed */
function settingsOf({ profile }: ImportForm, format: NonNullable<ImportForm['format']>): ProfileSettings | undefined {
  if (!profile) return undefined
  if (!isTableFormat(format))
    throw invalidField(['body', 'profile'], `is for plain tables; files of the format "${format}" say how they are asked`)
  const metrics = profile.metrics && chosenMetrics(profile.metrics)
  const { response_format: answers } = profile
  return { ...profile, metrics, ...(answers && { added_metrics: formatMetrics(answers, metrics ?? []) }) }
}

/** As the record lists them before they were read. */
export function filesOf({ files }: ImportPlan): ImportRecord['files'] {
  return files.map(({ file: { name, bytes, sha256 }, role }) => ({ role, name, bytes, sha256, checksum: 'unknown_upstream' }))
}

function orderedFile({ file, role }: PlannedFile): ImportOrder['files'][number] {
  return { name: file.name, path: file.path, role }
}
