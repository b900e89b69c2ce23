/** Names that other tools give to the columns, without regard to case; the first that a file has is taken. */
export const usualNames = {
  input: [
    'input',
    'question',
    'prompt',
    'query',
    'problem',
    'instruction',
    'stem',
    'question_stem',
    'sentence',
    'ctx',
    'goal',
    'startphrase',
    'text',
    'user_input',
    'question_content',
    'messages',
    'conversations',
    'conversation',
    'turns',
    'article',
    'document',
  ],
  target: [
    'target',
    // Beside it MGSM has the answer in words, or none.
    'answer_number',
    // Beside it "solution" or "answer" has the way to it.
    'final_answer',
    'final answer',
    'answer',
    'expected',
    'ideal',
    'expected_output',
    'expectedoutput',
    'reference_outputs',
    'label',
    'solution',
    'answerkey',
    'answer_key',
    'answer_idx',
    'answer_index',
    'correct_answer',
    'correct answer',
    'correct_option',
    // Beside it "answers" may be what is chosen from.
    'correct',
    'reference',
    'gold',
    'gold_index',
    'cop',
    'best answer',
    'best_answer',
    'answers',
    'ground_truth',
    'expected_answer',
    'expected_response',
    'reference_answer',
    'reference_output',
    'gold_answer',
    // Beside any of those it is what a model said.
    'output',
    'summary',
    'highlights',
  ],
  choices: ['choices', 'options', 'endings', 'answer_choices', 'candidates', 'alternatives', 'mc1_targets', 'target_scores'],
  id: ['id', 'task_id', 'key', 'uid'],
} as const
/** Names that only a reference has, in small letters. */
export const referenceNames: ReadonlySet<string> = new Set([
  'expected',
  'expectations',
  'ideal',
  'expected_output',
  'expectedoutput',
  'expected_answer',
  'expected_response',
  'reference',
  'reference_outputs',
  'reference_output',
  'reference_answer',
  'ground_truth',
  'gold',
  'gold_answer',
  'solution',
  'correct_answer',
])
export const usualParts = ['input', 'target', 'choices', 'id'] as const

/** The column that other tools' names say is this part; null where there is none. */
export function usualColumn(part: keyof typeof usualNames, names: readonly string[]): string | null {
  for (const candidate of usualNames[part]) {
    const found = names.find(name => name === candidate) ?? names.find(name => name.toLowerCase() === candidate)
    if (found !== undefined) return found
  }
  return null
}

/** The column that a mapping names, which may have the blanks that a table of text had around it; undefined where there is none. */
export function columnCalled(name: string, names: readonly string[]): string | undefined {
  return [name, name.trim()].find(one => names.includes(one))
}
