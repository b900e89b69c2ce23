import { Readable } from 'node:stream'
import type { Task } from '../../tasks/task.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import { findRecipe } from '../recipes/recipes.ts'
import { type OpenedOrder, type OrderedFile, sourceOf } from './import-order.ts'
import type { ImportSource } from './import-source.ts'
import type { Row, RowOrProblem } from './row.ts'
import { withChance } from './with-chance.ts'

/** Tasks of a part as an earlier version has them; empty where it lacks the part. */
export type StoredPart = (by: string, part: string) => readonly Task[]

export const noStoredParts: StoredPart = () => []

/** Files of a recipe, with the parts of an earlier version that they do not bring. */
export function openRecipe(id: string, files: readonly OrderedFile[], storedPart: StoredPart, intake: MediaIntake): OpenedOrder {
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
