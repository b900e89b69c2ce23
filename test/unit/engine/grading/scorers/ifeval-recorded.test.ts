import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'

const folder = new URL('../../../../../../shared/data/ifeval/', import.meta.url)
const tasksFile = new URL('input_data.jsonl', folder)
const responsesFile = new URL('input_response_data_gpt4_20231107_145030.jsonl', folder)

describe.skipIf(!existsSync(tasksFile) || !existsSync(responsesFile))(
  'IFEval, GPT-4 of 7 November 2023 (skipped where ../shared/data/ifeval is absent)',
  () => {
    // The official checkers draw random letters for "#" and "!"; these are their counts when such a letter is counted literally.
    test.each([
      ['ifeval/strict', 417, 698],
      ['ifeval/loose', 431, 714],
    ])('%s follows all instructions of %i prompts and %i single ones', (scorer, prompts, instructions) => {
      const score = prepareScorer({ scorer })
      const responses = new Map(rowsOf<{ prompt: string; response: string }>(responsesFile).map(row => [row.prompt, row.response]))
      const seen = { prompts: 0, instructions: 0, tasks: 0, all: 0 }
      for (const metadata of rowsOf<{ prompt: string }>(tasksFile)) {
        const { value, values } = score({ output: responses.get(metadata.prompt) ?? '', targets: [], metadata: { ...metadata } })
        const each = Object.values(values ?? {})
        seen.tasks++
        seen.all += each.length
        seen.prompts += value ?? 0
        seen.instructions += each.reduce((sum: number, followed) => sum + (followed ?? 0), 0)
      }
      expect(seen).toEqual({ prompts, instructions, tasks: 541, all: 834 })
    })
  },
)

/** Test data of a known shape, so the rows are not parsed further. */
function rowsOf<Row>(file: URL): Row[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Row)
}
