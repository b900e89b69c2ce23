import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { type Problem, problems } from './problem.ts'

const drawnTests = 8

/** The seed is part of the version: other tests, other version. */
export function versionOf(seed: number): string {
  return `1.0.0-seed${seed}`
}

/** Every third problem asks for a method, the others for a program. @param seed 32-bit integer; it draws the tests */
export function generate(seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  return { version: versionOf(seed), tasks: problems.map((problem, i) => taskOf(problem, i + 1, i % 3 === 2, draw)), shots: [] }
}

function taskOf(problem: Problem, number: number, isFunctional: boolean, draw: Draw): Task {
  const tests = [...problem.edges, ...Array.from({ length: drawnTests }, () => problem.numbers(draw))].map(numbers => ({
    input: isFunctional ? JSON.stringify(numbers) : `${numbers.length}\n${numbers.join(' ')}\n`,
    output: isFunctional ? String(problem.solve(numbers)) : `${problem.solve(numbers)}\n`,
  }))
  const [first = { input: '', output: '' }] = tests.slice(-1)
  const form = isFunctional
    ? `Write a class Solution with a method solve(self, numbers) that is given ${problem.input} and returns ${problem.output}.\n\nExample: solve(${first.input}) returns ${first.output}`
    : `Write a program. Standard input holds the count on the first line and ${problem.input} on the second, parted by blanks. Print ${problem.output}.\n\nExample input:\n${first.input}\nExample output:\n${first.output}`
  return {
    id: `cp-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { title: problem.title, statement: problem.statement, form: form.trimEnd() },
    targets: [],
    choices: null,
    metadata: {
      test_type: isFunctional ? 'functional' : 'stdin',
      ...(isFunctional && { fn_name: 'solve' }),
      tests,
      difficulty: problem.difficulty,
      reference_output: reply(problem.body, isFunctional),
      wrong_output: reply(problem.wrongBody, isFunctional),
    },
    capabilities: ['programming', 'python', 'algorithms'],
    dependsOn: [],
  }
}

function reply(body: string, isFunctional: boolean): string {
  const code = isFunctional
    ? `class Solution:\n    def solve(self, numbers):\n${body.replaceAll(/^/gm, '    ')}`
    : `def solve(numbers):\n${body}\n\ninput()\nprint(solve([int(word) for word in input().split()]))`
  return `\`\`\`python\n${code}\n\`\`\``
}
