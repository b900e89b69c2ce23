import type { Task } from '../../../../tasks/task.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import { compose } from './compose.ts'
import { caseKinds } from './kinds/case.ts'
import { combinationKinds } from './kinds/combination.ts'
import type { Constraint } from './kinds/constraint.ts'
import { contentKinds } from './kinds/content.ts'
import { formatKinds } from './kinds/format.ts'
import { keywordKinds } from './kinds/keywords.ts'
import { responseLanguage } from './kinds/language.ts'
import { lengthKinds } from './kinds/length.ts'
import { everyday } from './topics/everyday.ts'
import { knowledge } from './topics/knowledge.ts'
import { languages } from './topics/languages.ts'
import { questions } from './topics/questions.ts'
import { moreSentences } from './topics/more-sentences.ts'
import type { Topic } from './topics/topic.ts'
import { work } from './topics/work.ts'

/** Tasks for each kind of instruction. */
const rounds = 10
const mostExtras = 2

const topics: readonly Topic[] = [...everyday, ...work, ...knowledge]
const kinds: readonly Constraint[] = [...keywordKinds, ...lengthKinds, ...formatKinds, ...contentKinds, ...caseKinds, ...combinationKinds]
/** It only suits questions, so it is never added to another task. */
const question = 'detectable_format:constrained_response'

/** The seed is part of the version: other problems, other version. */
export function versionOf(seed: number): string {
  return `1.0.0-seed${seed}`
}

/**
 * Tasks in rounds over all kinds of instructions: each task is built around one kind and gets up to two others that can stand beside it.
 * @param seed 32-bit integer; part of the version, since another seed gives other tasks.
 */
export function generate(seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const tasks: Task[] = []
  const add = (focus: Constraint, topic: Topic) => tasks.push(taskOf(draw, focus, topic, tasks.length + 1))
  for (let round = 0; round < rounds; round++) {
    const order = draw.sample(topics, topics.length)
    for (const [i, kind] of kinds.entries()) {
      const topic = kind.id === question ? questions[round % questions.length] : order[i % order.length]
      if (topic) add(kind, topic)
    }
    const foreign = languages[round % languages.length]
    if (foreign) add(responseLanguage(foreign), foreign)
  }
  return { version: versionOf(seed), tasks, shots: [] }
}

function taskOf(draw: Draw, focus: Constraint, topic: Topic, number: number): Task {
  const constraints = [focus, ...extras(draw, focus, topic)]
  const { prompt, instructions, reference, wrong } = compose(draw, topic, constraints, sentencesFor(draw, topic, focus))
  return {
    id: `if-${String(number).padStart(4, '0')}`,
    split: 'test',
    fields: { prompt },
    targets: [],
    choices: null,
    metadata: {
      instruction_id_list: instructions.map(({ id }) => id),
      kwargs: instructions.map(({ kwargs }) => kwargs),
      prompt,
      instructions: String(instructions.length),
      focus: focus.id.slice(0, focus.id.indexOf(':')),
      reference_output: reference,
      wrong_output: wrong,
    },
    capabilities: ['instruction following'],
    dependsOn: [],
  }
}

/** Up to two kinds that can stand beside the focus and beside each other. */
function extras(draw: Draw, focus: Constraint, topic: Topic): Constraint[] {
  const chosen: Constraint[] = []
  const wanted = draw.int(0, mostExtras)
  for (const kind of draw.sample(kinds, kinds.length)) {
    if (chosen.length === wanted) break
    const isUsable = kind.id !== question && (topic.keywords.length > 0 || !kind.id.startsWith('keywords:'))
    if (isUsable && [focus, ...chosen].every(other => fit(other, kind))) chosen.push(kind)
  }
  return chosen
}

function fit(one: Constraint, other: Constraint): boolean {
  return (
    one.id !== other.id &&
    !one.excludes.some(aspect => other.decides.includes(aspect)) &&
    !other.excludes.some(aspect => one.decides.includes(aspect))
  )
}

function sentencesFor(draw: Draw, topic: Topic, focus: Constraint): readonly string[] {
  return focus.decides.includes('language') ? topic.sentences : [...topic.sentences, ...draw.sample(moreSentences, draw.int(0, 5))]
}
