import { ApiError, ImportForm, invalidField } from '../../contract/index.ts'
import { bundledBenchmarks } from '../../engine/benchmarks/bundled/bundled.ts'
import { slugOf } from '../../engine/benchmarks/own-benchmark.ts'
import { findRecipe, recipes } from '../../engine/benchmarks/recipes/recipes.ts'
import { findFamily } from '../../engine/environments/families/families.ts'
import type { ImportOrder } from '../../engine/importers/import-order.ts'
import { parsePart } from '../http/parse-input.ts'
import { assignRoles } from './assign-roles.ts'
import type { ReceivedFile, ReceivedForm } from './receive-upload.ts'

interface PlannedFile {
  readonly file: ReceivedFile
  readonly role: string
  /** Of the file as upstream publishes it; null where it is not known. */
  readonly upstreamSha256: string | null
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
}

/** Reads the form's text fields. Values that are not text are written as JSON. */
export function parseForm(fields: ReceivedForm['fields']): ImportForm {
  const { mapping, dry_run, ...texts } = fields
  const raw = {
    ...texts,
    ...(mapping === undefined ? {} : { mapping: parseMapping(mapping) }),
    ...(dry_run === undefined ? {} : { dry_run: dry_run === 'true' ? true : dry_run === 'false' ? false : dry_run }),
  }
  // The schema that parsed it is the one that the type was inferred from.
  return parsePart(ImportForm, raw, 'body') as ImportForm
}

/** @throws ApiError naming the field that does not fit */
export function planImport(form: ImportForm, files: readonly ReceivedFile[]): ImportPlan {
  if (files.length === 0) throw invalidField(['body', 'file'], 'Field required', 'missing')
  if ((form.recipe === undefined) === (form.format === undefined)) throw invalidField(['body'], 'give either "recipe" or "format"')
  return form.recipe === undefined ? planOwn(form, files) : planRecipe(form, form.recipe, files)
}

function planRecipe(form: ImportForm, id: string, files: readonly ReceivedFile[]): ImportPlan {
  const recipe = findRecipe(id)
  if (!recipe)
    throw invalidField(['body', 'recipe'], `there is no recipe "${id}"; there are ${recipes.map(r => r.definition.slug).join(', ')}`)
  for (const field of ['name', 'mapping'] as const) {
    if (form[field] !== undefined) throw invalidField(['body', field], 'is for imports with "format"; a recipe knows it')
  }
  const { assigned, warnings } = assignRoles(recipe, files)
  const planned = assigned.map(({ file, wanted }) => ({ file, role: wanted.role, upstreamSha256: wanted.sha256 }))
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
  }
}

function planOwn(form: ImportForm, files: readonly ReceivedFile[]): ImportPlan {
  const [file] = files
  const kind = form.format ?? 'jsonl'
  if (!file || (files.length > 1 && !takesSeveral.has(kind)))
    throw invalidField(['body', 'file'], `an import with the format "${kind}" takes one file; ${files.length} were sent`)
  const repeated = files.find((one, i) => files.findIndex(other => other.name === one.name) !== i)
  if (repeated) throw invalidField(['body', 'file'], `two files are called "${repeated.name}"`)
  const named = files.find(one => /\.ya?ml$/i.test(one.name)) ?? file
  const title = form.name ?? named.name.replace(/(\.(jsonl|json|csv|tsv|txt|parquet|ya?ml|gz))+$/i, '')
  const slug = slugOf(title)
  if (isOurs(slug))
    throw invalidField(['body', 'name'], `"${slug}" is a benchmark that Assay knows; choose another name, or import it with its recipe`)
  const planned = files.map(one => ({ file: one, role: /\.ya?ml$/i.test(one.name) ? 'settings' : 'tasks', upstreamSha256: null }))
  return {
    origin: 'imported',
    slug,
    recipe: null,
    format: kind,
    version: form.version ?? null,
    dryRun: form.dry_run,
    files: planned,
    order: { what: { kind: 'own', format: kind, mapping: form.mapping ?? {}, title, slug }, files: planned.map(orderedFile) },
    warnings: [],
  }
}

/** Formats whose settings name other files. */
const takesSeveral: ReadonlySet<string> = new Set(['lm_eval_yaml', 'promptfoo_yaml'])

function orderedFile({ file, role }: PlannedFile): ImportOrder['files'][number] {
  return { name: file.name, path: file.path, role }
}

function isOurs(slug: string): boolean {
  return findRecipe(slug) !== null || bundledBenchmarks.some(benchmark => benchmark.definition.slug === slug) || findFamily(slug) !== null
}

function parseMapping(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('validation_error', 'body.mapping: must be a JSON object', {
      detail: [{ loc: ['body', 'mapping'], msg: 'must be a JSON object', type: 'json_invalid' }],
    })
  }
}
