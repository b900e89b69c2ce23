import { textField } from '../../../files/row-fields.ts'
import type { Row } from '../../../files/row.ts'
import type { Task } from '../../../../tasks/task.ts'

export const livecodebenchPrompt = '{question}\n\n{form}\n\nAnswer with Python code in one fenced block at the end of your reply.'
export const livecodebenchBreakdowns: readonly string[] = ['difficulty', 'platform', 'contest_date']

const home = 'https://github.com/LiveCodeBench/LiveCodeBench'

/** What every benchmark of LiveCodeBench's problems states. */
export const livecodebenchOrigin = {
  provider: 'livecodebench',
  howMade: 'Collected from LeetCode, AtCoder and Codeforces and dated (Jain et al., 2024).',
  runner: 'livecodebench',
  license: { name: 'MIT for the code; problem texts under the terms of the contest sites', url: home },
  citation:
    'Jain et al. (2024), LiveCodeBench: Holistic and Contamination Free Evaluation of Large Language Models for Code, arXiv:2403.07974',
  homepage: home,
} as const

/** A problem without its tests. @throws RowError */
export function problemOf(row: Row): Task & { readonly metadata: { difficulty: string; platform: string; contest_date: string } } {
  const starter = row.value['starter_code']
  return {
    id: textField(row, 'question_id'),
    split: 'test',
    fields: {
      question: textField(row, 'question_content'),
      form:
        typeof starter === 'string' && starter.trim() !== ''
          ? `Begin with this code:\n${starter}`
          : 'Write a program that reads standard input and writes standard output.',
    },
    targets: [],
    choices: null,
    metadata: {
      difficulty: textField(row, 'difficulty'),
      platform: textField(row, 'platform'),
      contest_date: textField(row, 'contest_date').slice(0, 10),
    },
    capabilities: ['programming', 'python', 'algorithms'],
    dependsOn: [],
  }
}
