import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { type Argument, type Program, programs } from './programs.ts'

const shownTests = 3
const furtherInputs = 15

/** The seed is part of the version: other tests, other version. */
export function versionOf(seed: number): string {
  return `1.0.0-seed${seed}`
}

/** @param seed 32-bit integer; it draws the inputs of the tests */
export function generate(seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  return { version: versionOf(seed), tasks: programs.map((program, i) => taskOf(program, i + 1, draw)), shots: [] }
}

function taskOf(program: Program, number: number, draw: Draw): Task {
  const { name, parameters, request, body, wrongBody, telling, topic } = program
  const tests = Array.from({ length: shownTests }, () => {
    const args = program.arguments(draw)
    return `assert ${name}(${args.map(literal).join(', ')}) == ${literal(program.expected(args))}`
  })
  const solution = (of: string) => `def ${name}(${parameters}):\n${of}\n`
  return {
    id: `ep-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { prompt: request, tests: tests.join('\n') },
    targets: [],
    choices: null,
    metadata: {
      entry_point: name,
      prompt: '',
      canonical_solution: solution(body),
      test_list: [...tests, `assert ${name}(${telling.map(literal).join(', ')}) == ${literal(program.expected(telling))}`],
      test_imports: [],
      plus_input: [telling, ...Array.from({ length: furtherInputs }, () => program.arguments(draw))],
      atol: 0,
      topic,
      reference_output: `\`\`\`python\n${solution(body)}\`\`\``,
      wrong_output: `\`\`\`python\n${solution(wrongBody)}\`\`\``,
    },
    capabilities: ['programming', 'python'],
    dependsOn: [],
  }
}

/** As Python writes it. Texts here hold nothing that would need escaping. */
function literal(value: Argument): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return `'${value}'`
  return typeof value === 'number' ? String(value) : `[${value.map(literal).join(', ')}]`
}
