import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { listFamilies } from './families/lists.ts'
import { numberFamilies } from './families/numbers.ts'
import { recordFamilies } from './families/records.ts'
import { textFamilies } from './families/texts.ts'
import type { Family, FunctionProblem } from './family.ts'

const families: readonly Family[] = [...listFamilies, ...textFamilies, ...numberFamilies, ...recordFamilies]
const baseInputs = 3
const drawnInputs = 20

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
  const most = Math.max(...families.map(family => family.variants))
  const problems = Array.from({ length: most }, (_, variant) =>
    families.filter(family => variant < family.variants).map(family => family.problem(variant)),
  ).flat()
  return { version: versionOf(seed), tasks: problems.map((problem, i) => taskOf(problem, i + 1, draw)), shots: [] }
}

function taskOf(problem: FunctionProblem, number: number, draw: Draw): Task {
  const { name, parameters, returns, request, body, wrongBody, edges, topic } = problem
  const prompt = `def ${name}(${parameters}) -> ${returns}:\n    """${request}"""\n`
  const inputs = Array.from({ length: baseInputs + drawnInputs }, () => problem.arguments(draw))
  const complete = (of: string) => `\`\`\`python\n${prompt}${of}\n\`\`\``
  return {
    id: `pf-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { prompt },
    targets: [],
    choices: null,
    metadata: {
      entry_point: name,
      prompt,
      canonical_solution: `${body}\n`,
      base_input: inputs.slice(0, baseInputs),
      plus_input: [...edges, ...inputs.slice(baseInputs)],
      atol: 0,
      topic,
      reference_output: complete(body),
      wrong_output: complete(wrongBody),
    },
    capabilities: ['programming', 'python'],
    dependsOn: [],
  }
}
