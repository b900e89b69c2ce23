import type { Shot, Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import type { Problem, Template } from './problem.ts'
import { topics } from './templates/topics.ts'

/** How often each story is told, every time with other numbers and mostly with other people and things. */
const rounds = 9
const shotCount = 3
const mostDraws = 2000

/** The seed is part of the version: other problems, other version. */
export function versionOf(seed: number): string {
  return `1.0.0-seed${seed}`
}

/**
 * Tasks in rounds over all stories, so that any first part of the list covers every topic.
 * @param seed 32-bit integer; part of the version, since another seed gives other problems.
 */
export function generate(seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const asked = new Set<string>()
  const stories = topics.flatMap(([topic, templates]) => templates.map(template => ({ topic, template })))
  const tasks: Task[] = []
  for (let round = 0; round < rounds; round++) {
    for (const { topic, template } of stories) tasks.push(taskOf(fresh(template, draw, asked), topic, tasks.length + 1))
  }
  const shots = draw.sample(stories, shotCount).map(({ template }) => shotOf(fresh(template, draw, asked)))
  return { version: versionOf(seed), tasks, shots }
}

/** Draws until the story comes out whole and has not been told in the same words before. */
function fresh(template: Template, draw: Draw, asked: Set<string>): Problem {
  for (let i = 0; i < mostDraws; i++) {
    const problem = template(draw)
    if (!isSound(problem) || asked.has(problem.question)) continue
    asked.add(problem.question)
    return problem
  }
  throw new Error(`A story gave no new sound problem in ${mostDraws} draws; its numbers are too narrow.`)
}

/** Whole numbers all the way, none trivial, and an answer that does not already stand in the question. */
function isSound(problem: Problem): boolean {
  const numbers = problem.question.match(/\d+/g)?.map(Number) ?? []
  const isWhole = problem.steps.every(({ value }) => Number.isInteger(value) && value >= 2 && value <= 20_000)
  return isWhole && numbers.every(number => number >= 2) && !numbers.includes(answerOf(problem))
}

function answerOf(problem: Problem): number {
  return problem.steps.at(-1)?.value ?? Number.NaN
}

function taskOf(problem: Problem, topic: string, number: number): Task {
  const answer = answerOf(problem)
  return {
    id: `awp-${String(number).padStart(4, '0')}`,
    split: 'test',
    fields: { question: problem.question },
    targets: [String(answer)],
    choices: null,
    metadata: {
      steps: problem.steps.length,
      topic,
      operations: [...new Set(problem.steps.map(step => step.operation))].sort(),
      answer_template: '#### {answer}',
      reference_output: solutionOf(problem),
      wrong_output: slipOf(problem),
    },
    capabilities: ['arithmetic', 'multi-step reasoning'],
    dependsOn: [],
  }
}

function shotOf(problem: Problem): Shot {
  return { fields: { question: problem.question, solution: solutionOf(problem) } }
}

function solutionOf(problem: Problem): string {
  return [...problem.steps.map(step => `${step.text}.`), `#### ${answerOf(problem)}`].join('\n')
}

/** The commonest slip: stopping one step early. */
function slipOf(problem: Problem): string {
  const done = problem.steps.slice(0, -1)
  const reached = done.at(-1)?.value ?? 0
  const wrong = reached === answerOf(problem) ? reached + 1 : reached
  return [...done.map(step => `${step.text}.`), `#### ${wrong}`].join('\n')
}
