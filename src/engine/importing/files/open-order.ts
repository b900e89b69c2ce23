import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import { findRecipe } from '../recipes/recipes.ts'
import { mappedContent } from './column-mapping.ts'
import { inspectDataset } from './foreign/inspect-dataset.ts'
import { openAiEvalsDataset } from './foreign/openai-evals-dataset.ts'
import { openPromptfoo, openPromptfooTable } from './foreign/promptfoo-config.ts'
import { type ImportOrder, type OpenedOrder, type OrderedFile, type OwnFormat, sourceOf } from './import-order.ts'
import type { TaskContent } from './import-source.ts'
import { noShots } from './import-tally.ts'
import { openLmEvalTask } from './lm-eval/open-task.ts'

/** @throws OrderFault where what the files say of themselves cannot be carried out */
export function openOrder({ what, files }: ImportOrder): OpenedOrder {
  if (what.kind === 'recipe') return openRecipe(what.recipe, files)
  const { format } = what
  if (format === 'lm_eval_yaml') return openLmEvalTask(what, files)
  if (format === 'promptfoo_yaml') return openPromptfoo(what, files)
  if (format === 'promptfoo_csv') return openPromptfooTable(what, files)
  return openOwn({ ...what, format }, files)
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

type TableFormat = Exclude<OwnFormat, 'lm_eval_yaml' | 'promptfoo_yaml' | 'promptfoo_csv'>

function openOwn(
  { format, mapping, title, slug }: Extract<ImportOrder['what'], { kind: 'own' }> & { readonly format: TableFormat },
  files: readonly OrderedFile[],
): OpenedOrder {
  const content = contentOf(format, mapping)
  return {
    sources: files.map(file => sourceOf(file, content)),
    shots: noShots,
    define: ({ preview, chanceLevel }) => withChance(ownBenchmark(title, slug, preview[0]?.choices != null), chanceLevel),
  }
}

function contentOf(format: TableFormat, mapping: Parameters<typeof mappedContent>[1]): TaskContent {
  switch (format) {
    case 'inspect_jsonl':
      return inspectDataset
    case 'openai_evals_jsonl':
      return openAiEvalsDataset
    default:
      return mappedContent({ kind: format }, mapping)
  }
}

/** Blind guessing depends on the choices, which only the data tell. */
function withChance(definition: BenchmarkDefinition, chanceLevel: number | null): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, chanceLevel: profile.chanceLevel ?? chanceLevel })) }
}
