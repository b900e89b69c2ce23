import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { choiceTemplate } from '../../choice-profile.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { type Puzzle, puzzles } from './puzzles.ts'

const taskCount = 240
const mostDraws = 5_000

/** @param seed 32-bit integer; part of the version, since another seed gives other puzzles */
export function generate(version: string, seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const asked = new Set<string>()
  const tasks: Task[] = []
  for (let i = 0; tasks.length < taskCount; i++) {
    if (i > mostDraws) throw new Error(`Only ${tasks.length} different puzzles in ${mostDraws} draws.`)
    const puzzle = puzzles[tasks.length % puzzles.length]?.(draw)
    if (!puzzle || asked.has(puzzle.question)) continue
    asked.add(puzzle.question)
    tasks.push(taskOf(puzzle, draw, tasks.length + 1))
  }
  return { version, tasks, shots: [] }
}

function taskOf({ kind, question, right, wrong }: Puzzle, draw: Draw, number: number): Task {
  const choices = draw.sample([right, ...wrong], 4)
  const letter = (choice: string) => String.fromCharCode(65 + choices.indexOf(choice))
  return {
    id: `logic-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { question },
    targets: [letter(right)],
    choices,
    metadata: { ...choiceTemplate, kind, reference_output: `ANSWER: ${letter(right)}`, wrong_output: `ANSWER: ${letter(wrong[0] ?? '')}` },
    capabilities: ['logic', 'reasoning'],
    dependsOn: [],
  }
}
