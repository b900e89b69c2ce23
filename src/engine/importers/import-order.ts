import { createReadStream } from 'node:fs'
import type { BenchmarkDefinition } from '../benchmarks/definition.ts'
import { ownBenchmark } from '../benchmarks/own-benchmark.ts'
import { findRecipe } from '../benchmarks/recipes/recipes.ts'
import { type Columns, mappedContent } from './column-mapping.ts'
import { inspectDataset } from './foreign/inspect-dataset.ts'
import { openAiEvalsDataset } from './foreign/openai-evals-dataset.ts'
import { promptfooTests } from './foreign/promptfoo-tests.ts'
import type { ImportSource, TaskContent } from './import-source.ts'
import { noShots, type ShotsWanted, type Tallied } from './import-tally.ts'

/** Formats of files that are no recipe's. */
export type OwnFormat = 'jsonl' | 'json' | 'csv' | 'parquet' | 'inspect_jsonl' | 'openai_evals_jsonl' | 'promptfoo_csv'

export interface OrderedFile {
  /** As the user knows it. */
  readonly name: string
  /** Where its bytes lie. */
  readonly path: string
  readonly role: string
}

/** What is to be imported, as plain data that another thread can be given. */
export interface ImportOrder {
  readonly what:
    | { readonly kind: 'recipe'; readonly recipe: string }
    | {
        readonly kind: 'own'
        readonly format: OwnFormat
        readonly mapping: { readonly [Part in keyof Columns]?: string | undefined }
        readonly title: string
        readonly slug: string
      }
  readonly files: readonly OrderedFile[]
}

/** An order that can be carried out. */
export interface OpenedOrder {
  readonly sources: readonly ImportSource[]
  readonly shots: ShotsWanted
  /** The benchmark that the rows turned out to be. */
  define(found: Tallied): BenchmarkDefinition
}

export function openOrder({ what, files }: ImportOrder): OpenedOrder {
  return what.kind === 'recipe' ? openRecipe(what.recipe, files) : openOwn(what, files)
}

function openRecipe(id: string, files: readonly OrderedFile[]): OpenedOrder {
  const recipe = findRecipe(id)
  if (!recipe) throw new Error(`There is no recipe "${id}".`)
  const { definition } = recipe
  return {
    sources: files.map(file => {
      const wanted = recipe.files.find(({ role }) => role === file.role)
      if (!wanted) throw new Error(`The recipe "${id}" has no file "${file.role}".`)
      return sourceOf(file, wanted.content)
    }),
    shots: {
      count: Math.max(0, ...definition.profiles.map(profile => profile.shots)),
      by: definition.profiles.find(profile => profile.shotsBy !== undefined)?.shotsBy ?? null,
    },
    define: ({ chanceLevel }) => withChance(definition, chanceLevel),
  }
}

function openOwn(
  { format, mapping, title, slug }: Extract<ImportOrder['what'], { kind: 'own' }>,
  files: readonly OrderedFile[],
): OpenedOrder {
  const content = contentOf(format, mapping)
  return {
    sources: files.map(file => sourceOf(file, content)),
    shots: noShots,
    define: ({ preview, chanceLevel }) => withChance(ownBenchmark(title, slug, preview[0]?.choices != null), chanceLevel),
  }
}

function contentOf(format: OwnFormat, mapping: Parameters<typeof mappedContent>[1]): TaskContent {
  switch (format) {
    case 'inspect_jsonl':
      return inspectDataset
    case 'openai_evals_jsonl':
      return openAiEvalsDataset
    case 'promptfoo_csv':
      return promptfooTests(mapping.input)
    default:
      return mappedContent({ kind: format }, mapping)
  }
}

export function sourceOf({ name, path }: OrderedFile, content: ImportSource['content']): ImportSource {
  return { name, content, open: () => createReadStream(path) }
}

/** Blind guessing depends on the choices, which only the data tell. */
function withChance(definition: BenchmarkDefinition, chanceLevel: number | null): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, chanceLevel: profile.chanceLevel ?? chanceLevel })) }
}
