import { z } from 'zod'
import { describeFirst } from '../../../../contract/describe-issue.ts'
import { filterStepSchema } from '../../../grading/scorers/lm-eval/filter-steps.ts'
import type { FilterStep, TaskConfig } from './task-config.ts'

/** A pipeline that an output goes through before it is graded. */
export interface Pipeline {
  readonly name: string
  readonly steps: readonly z.infer<typeof filterStepSchema>[]
}

export interface Pipelines {
  readonly known: readonly Pipeline[]
  /** Why others are left out, each with its name. */
  readonly left: readonly string[]
}

/** Filters that look at several answers to one question. */
const overAnswers = new Set(['majority_vote', 'take_first_k'])

export function pipelinesOf({ filter_list: given }: Pick<TaskConfig, 'filter_list'>): Pipelines {
  const named = given && given.length > 0 ? given : [{ name: 'none', filter: [{ function: 'take_first' }] }]
  const read = named.map(({ name, filter }) => ({ name, steps: filter.map(stepOf) }))
  return {
    known: read.flatMap(({ name, steps }) => {
      const good = steps.flatMap(step => (typeof step === 'string' ? [] : [step]))
      return good.length === steps.length ? [{ name, steps: good.filter(step => step.function !== 'take_first') }] : []
    }),
    left: read.flatMap(({ name, steps }) => {
      const why = steps.find(step => typeof step === 'string')
      return why === undefined ? [] : [`"${name.slice(0, 60)}", because ${why}`]
    }),
  }
}

function stepOf(step: FilterStep): z.infer<typeof filterStepSchema> | string {
  const name = step.function.slice(0, 60)
  if (overAnswers.has(name))
    return `the filter "${name}" votes over several answers to one question, and each answer is graded by itself here`
  const parsed = filterStepSchema.safeParse(step)
  if (parsed.success) return parsed.data
  const known = filterStepSchema.options.map(({ shape }) => shape.function.value)
  if (!known.some(one => one === name))
    return name.includes('.') ? `the filter "${name}" is Python` : `there is no filter "${name}" here; there are ${known.join(', ')}`
  return `the filter "${name}" has a value that cannot be used: ${describeFirst(parsed.error.issues, 'it')}`
}
