import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { type Edit, edits } from './edits.ts'
import { drawOrders, sheetOf, show } from './workbook.ts'

const workbooks = 3

/** The seed is part of the version: other workbooks, other version. */
export function versionOf(seed: number): string {
  return `1.0.0-seed${seed}`
}

/** @param seed 32-bit integer; it draws the workbooks */
export function generate(seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  return { version: versionOf(seed), tasks: edits.map((edit, i) => taskOf(edit, i + 1, draw)), shots: [] }
}

function taskOf({ instruction, body, wrongBody, topic, answer }: Edit, number: number, draw: Draw): Task {
  const drawn = Array.from({ length: workbooks }, () => drawOrders(draw))
  return {
    id: `se-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { instruction, workbook: show(drawn[0] ?? []) },
    targets: [],
    choices: null,
    metadata: {
      cases: drawn.map(orders => ({ input: sheetOf(orders), answer: answer(orders) })),
      topic,
      reference_output: reply(body),
      wrong_output: reply(wrongBody),
    },
    capabilities: ['spreadsheets', 'programming', 'python'],
    dependsOn: [],
  }
}

function reply(body: string): string {
  return `\`\`\`python\ndef edit(sheets):\n    sheet = sheets["Orders"]\n    last = sum(address.startswith("A") for address in sheet)\n${body}\n    return sheets\n\`\`\``
}
