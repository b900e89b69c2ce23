import type { Part } from '../../../contract/messages/messages.schemas.ts'
import { choicesField } from '../../tasks/task.ts'
import type { Task } from '../../tasks/task.ts'
import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { filesInCell, looksLikeFiles } from '../media/media-cell.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import type { ChoiceList } from './choice-list.ts'
import { RowError } from './row.ts'

/**
 * Choices of which some are files, as the model is shown them: each behind its letter. What is called like a file and is none of this
 * import stays a text.
 * @throws RowError where a choice has several files, or some of the named files are missing
 */
export function shownChoices({ texts, cells = [] }: ChoiceList, intake: MediaIntake): Pick<Task, 'choices' | 'conversations'> | null {
  const isFile = cells.map(cell => looksLikeFiles(cell) && isThere(cell, intake))
  if (!isFile.includes(true)) return null
  const parts = cells.flatMap((cell, i): Part[] => {
    const letter = choiceLabel(i)
    if (!isFile[i] && !looksLikeFiles(cell)) return [{ type: 'text', text: `${letter}. ${texts[i] ?? ''}` }]
    const [file, other] = intake.cell(cell, `choice ${letter}`)
    if (!file || other) throw new RowError(`Choice ${letter} has ${file ? 'several files' : 'no file'}; a choice is one file or a text.`)
    return [{ type: 'text', text: `${letter}.` }, file.type === 'image' ? { ...file, alt: `Choice ${letter}` } : file]
  })
  return {
    choices: texts.map((text, i) => (isFile[i] ? `Choice ${choiceLabel(i)}` : text)),
    conversations: { [choicesField]: [{ role: 'user', content: parts }] },
  }
}

function isThere(cell: unknown, intake: MediaIntake): boolean {
  return (filesInCell(cell) ?? []).every(file => file.kind !== 'path' || intake.has(file.path))
}
