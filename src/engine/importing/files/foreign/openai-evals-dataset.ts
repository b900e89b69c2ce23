import type { MediaIntake } from '../../media/media-intake.ts'
import type { TaskContent } from '../import-source.ts'
import { foreignTask, promptInput, targetTexts, taskId } from './foreign-task.ts'

/** Samples of OpenAI evals: a line with `input`, messages or text, and `ideal`, an answer or a list of which any counts. */
export const openAiEvalsDataset = (intake: MediaIntake): TaskContent => ({
  format: { kind: 'jsonl' },
  holds: 'tasks',
  read: row => foreignTask({ id: taskId(row, 'id'), input: promptInput(row, 'input', intake), targets: targetTexts(row, 'ideal') }),
})
