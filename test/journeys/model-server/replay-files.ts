import { readFileSync } from 'node:fs'

/**
 * Answers from GSM8K's `example_model_solutions.jsonl`: question to the solution of one of its columns, e.g. `6b_verification`.
 * @throws Error when a line lacks the question or the column.
 */
export function answersFromGsm8k(file: string, column: string): Map<string, string> {
  return readPairs(file, record => [record['question'], solutionIn(record[column])], `a question and a solution under “${column}”`)
}

/**
 * Answers from lines of `{"question": …, "answer": …}`.
 * @throws Error when a line lacks one of them.
 */
export function answersFromJsonl(file: string): Map<string, string> {
  return readPairs(file, record => [record['question'], record['answer']], '"question" and "answer"')
}

function readPairs(
  file: string,
  pair: (record: Record<string, unknown>) => readonly [unknown, unknown],
  wanted: string,
): Map<string, string> {
  const answers = new Map<string, string>()
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const record: unknown = JSON.parse(line)
    const [question, answer] = isRecord(record) ? pair(record) : []
    if (typeof question !== 'string' || typeof answer !== 'string')
      throw new Error(`${file}, line ${i + 1}: expected an object with ${wanted}.`)
    answers.set(question, answer)
  }
  return answers
}

const solutionIn = (cell: unknown): unknown => (isRecord(cell) ? cell['solution'] : undefined)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
