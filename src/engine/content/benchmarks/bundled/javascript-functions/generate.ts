import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { families, variants } from './families.ts'

const baseInputs = 3
const drawnInputs = 12
const firstNumber = 2

/** The seed is part of the version: other inputs, other version. */
export function versionOf(seed: number): string {
  return `1.0.0-seed${seed}`
}

/**
 * One task for each variant of each family, families in turn, so that any first part of the list covers every topic.
 * @param seed 32-bit integer; it draws the inputs of the tests
 */
export function generate(seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const problems = Array.from({ length: variants }, (_, variant) => families.map(problem => problem(firstNumber + variant))).flat()
  return { version: versionOf(seed), tasks: problems.map((problem, i) => taskOf(problem, i + 1, draw)), shots: [] }
}

function taskOf(problem: ReturnType<(typeof families)[number]>, number: number, draw: Draw): Task {
  const { name, parameters, request, body, wrongBody, edges, topic } = problem
  const prompt = `/** ${request} */\nfunction ${name}(${parameters}) {\n`
  const inputs = Array.from({ length: baseInputs + drawnInputs }, () => problem.arguments(draw))
  const complete = (of: string) => `${prompt}${of}\n}\n`
  const answer = (of: string) => `\`\`\`javascript\n${complete(of)}\`\`\``
  return {
    id: `jf-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { prompt },
    targets: [],
    choices: null,
    metadata: {
      entry_point: name,
      prompt,
      canonical_solution: complete(body),
      base_input: inputs.slice(0, baseInputs),
      plus_input: [...edges, ...inputs.slice(baseInputs)],
      atol: 0,
      topic,
      reference_output: answer(body),
      wrong_output: answer(wrongBody),
    },
    capabilities: ['programming', 'javascript'],
    dependsOn: [],
  }
}
