import type { Metric } from '../../../../../contract/catalog/benchmarks.schemas.ts'
import { choiceLabel, letteredChoices } from '../../../../grading/scorers/inspect-ai/multiple-choice.ts'
import { parsePythonLiteral } from '../../../../grading/scorers/python/literal.ts'
import type { BenchmarkDefinition } from '../../../../tasks/definition.ts'
import type { Task } from '../../../../tasks/task.ts'
import { scalarText, textField } from '../../../files/row-fields.ts'
import { type Row, RowError } from '../../../files/row.ts'
import { MediaIntake } from '../../../media/media-intake.ts'
import { mediaOf } from '../../../media/media-columns.ts'
import { placeMedia } from '../../../media/place-media.ts'
import { taskInput } from '../../../messages/read-conversation.ts'
import type { Recipe } from '../../recipe.ts'
import { anyForm } from '../any-form.ts'
import { rowTask } from '../row-task.ts'

type About = Pick<
  BenchmarkDefinition,
  'slug' | 'provider' | 'name' | 'title' | 'summary' | 'description' | 'howMade' | 'knownLimits' | 'license' | 'citation'
>

interface MediaBenchmark extends About {
  /** On Hugging Face, as `owner/name`. */
  readonly repository: string
  /** Columns that are read, for people. */
  readonly columns: string
  readonly capabilities: readonly string[]
  /** What follows a question. */
  readonly hint: string
  readonly metrics: readonly Metric[]
  readonly chanceLevel?: number
  readonly breakdowns?: readonly string[]
  /** Columns that hold files; those that a data set lacks are empty. */
  readonly media: readonly string[]
  /** A column by whose value other rows refer to this row's file. */
  readonly key?: string
  readonly read: (row: Row) => MediaQuestion
}

interface MediaQuestion {
  readonly id: string | null
  readonly text: string
  /** Lettered below the text. */
  readonly choices?: readonly string[]
  readonly targets: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
}

/** A public benchmark whose tasks show files, out of the table that Hugging Face keeps. The user brings it. */
export function mediaRecipe(benchmark: MediaBenchmark): Recipe {
  const {
    repository,
    columns,
    hint,
    metrics,
    media: _,
    key: ___,
    read: __,
    slug,
    capabilities,
    breakdowns = [],
    chanceLevel = null,
    ...about
  } = benchmark
  const homepage = `https://huggingface.co/datasets/${repository}`
  return {
    definition: {
      ...about,
      slug,
      runner: 'inspect',
      capabilities,
      homepage,
      profiles: [
        {
          key: 'zero-shot',
          title: 'Zero-shot',
          summary: 'What the task shows and its question; the model answers briefly.',
          split: 'test',
          systemPrompt: null,
          promptTemplate: hint === '' ? '{question}' : `{question}\n\n${hint}`,
          shotTemplate: null,
          shots: 0,
          generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
          metrics,
          requires: ['chat'],
          chanceLevel,
          breakdowns,
        },
      ],
    },
    files: [
      {
        role: 'test',
        required: true,
        fileName: `${slug}.parquet`,
        url: homepage,
        download: null,
        sha256: null,
        purpose: `The questions with their files, as Hugging Face keeps them: a table with ${columns}.`,
        content: {
          format: anyForm({ kind: 'jsonl' }),
          holds: 'tasks',
          read: (row, intake = new MediaIntake()) => readTask(row, intake, benchmark),
        },
      },
    ],
  }
}

function readTask(row: Row, intake: MediaIntake, { slug, media, key, read, capabilities }: MediaBenchmark): Task {
  if (key !== undefined) intake.remember(String(row.value[key]), row.value[media[0] ?? ''])
  const { id, text, choices, targets, metadata = {} } = read(row)
  const shown = mediaOf(
    row.value,
    media.map(column => ({ field: column, column })),
    intake,
  )
  // The choices are a part of what is asked, since marks in them may name files.
  const asked = [text, ...(choices && choices.length > 0 ? [letteredChoices(choices)] : [])].join('\n\n')
  return {
    ...rowTask(slug, row),
    ...(id === null ? {} : { id }),
    ...taskInput([{ role: 'user', content: placeMedia(asked, shown) }], 'question'),
    targets,
    choices: choices ?? null,
    metadata,
    capabilities,
  }
}

/** The first of the fields that a row has, by its name. */
export function firstOf(row: Row, ...names: readonly string[]): string {
  return names.find(name => row.value[name] !== undefined && row.value[name] !== null) ?? names[0] ?? ''
}

/** A text or number; null where the field is absent. */
export function optionalText(row: Row, name: string): string | null {
  const value = row.value[name]
  return value === undefined || value === null || value === '' ? null : scalarText(value, name)
}

/** One text, a list of texts, or a list as Python writes it. @throws RowError */
export function answersIn(row: Row, name: string): readonly string[] {
  const value = row.value[name]
  if (Array.isArray(value)) return value.map((item: unknown) => scalarText(item, name))
  if (typeof value !== 'string') return [scalarText(value, name)]
  return pythonTexts(value) ?? [value]
}

/** A list of texts, or one as Python writes it. @throws RowError */
export function listOf(row: Row, name: string): readonly string[] {
  const value = row.value[name]
  const list = Array.isArray(value) ? value.map((item: unknown) => scalarText(item, name)) : pythonTexts(textField(row, name))
  if (!list) throw new RowError(`The field "${name}" must be a list of texts.`)
  return list
}

function pythonTexts(text: string): readonly string[] | null {
  if (!text.trimStart().startsWith('[')) return null
  const parsed = parsePythonLiteral(text)
  if (parsed?.type !== 'list') return null
  const texts = parsed.items.flatMap(item => (item.type === 'str' ? [item.value] : []))
  return texts.length === parsed.items.length ? texts : null
}

/** The letter of a choice that is given by its place, from 0. @throws RowError */
export function letterAt(row: Row, name: string, choices: readonly string[]): string {
  const place = Number(optionalText(row, name) ?? Number.NaN)
  if (!Number.isInteger(place) || place < 0 || place >= choices.length)
    throw new RowError(`The field "${name}" must be the place of one of the ${choices.length} choices, from 0.`)
  return choiceLabel(place)
}
