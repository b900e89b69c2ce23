import { z } from 'zod'
import type { ExpectedCall } from '../../../contract/worlds/policies.schemas.ts'
import type { WorldExpectation, WorldTool } from '../../../contract/worlds/worlds.schemas.ts'
import { isSimilar } from '../../grading/embeddings/similar.ts'
import { needsJudge, rubricOf } from '../files/foreign/judged-assertions.ts'
import { type CaseAssertion, hasScripts, isMeasured, type PromptfooCase } from '../files/foreign/promptfoo-case.ts'

const Typed = z.looseObject({ type: z.string(), value: z.unknown().optional(), threshold: z.number().nullish() })
const Named = z.union([z.string().transform(name => ({ name })), z.strictObject({ name: z.string() })])
const Names = z.union([Named.transform(one => [one]), z.array(Named).min(1)])
const List = z.union([z.array(z.string()), z.string().transform(text => text.split(',').map(name => name.trim()))])
const Arguments = z.looseObject({
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  mode: z.enum(['partial', 'exact']).default('partial'),
})
const Sequence = z.union([
  z.array(z.string()).transform(steps => ({ steps, mode: 'in_order' as const })),
  z.looseObject({ steps: z.array(z.string()), mode: z.enum(['in_order', 'exact']).default('in_order') }),
])

type Calls = NonNullable<WorldExpectation['calls']>

/** Assertions about tool calls as calls that a world expects; the other assertions, and what is not graded. */
export function callExpectations(assertions: readonly unknown[], tools: readonly WorldTool[]) {
  const calls: { [Kind in keyof Calls]?: ExpectedCall[] } = {}
  const rest: unknown[] = []
  const left: string[] = []
  const add = (kind: keyof Calls, list: readonly ExpectedCall[]) => {
    calls[kind] = [...(calls[kind] ?? []), ...list]
  }
  for (const assertion of assertions) {
    const { type = '', value, threshold } = Typed.safeParse(assertion).data ?? {}
    if (!/trajectory:|^(?:not-)?(?:tool-call-f1|is-valid-openai-(?:tools|function)-call)$/.test(type)) {
      rest.push(assertion)
      continue
    }
    const names = Names.safeParse(value).data
    const args = Arguments.safeParse(value).data
    const sequence = Sequence.safeParse(value).data
    const list = List.safeParse(value).data
    if (type.startsWith('is-valid-openai')) left.push(`"${type}": a call that breaks its schema is answered with an error instead`)
    else if (type === 'trajectory:tool-used' && names) add('subset', names)
    else if (type === 'not-trajectory:tool-used' && names) add('forbidden', names)
    else if (type === 'trajectory:tool-args-match' && args) add('subset', [callOf(args, tools)])
    else if (type === 'trajectory:tool-sequence' && sequence) {
      add(
        sequence.mode === 'exact' ? 'exact' : 'subset',
        sequence.steps.map(name => ({ name })),
      )
      if (sequence.mode === 'in_order') left.push(`"${type}": the calls must be made, in whatever order`)
    } else if (type === 'tool-call-f1' && list && (threshold ?? 1) >= 1)
      add(
        'any_order',
        list.map(name => ({ name })),
      )
    else left.push(`"${type}" with ${JSON.stringify(value)?.slice(0, 80) ?? 'no value'}`)
  }
  return { calls: Object.keys(calls).length > 0 ? calls : null, rest, left }
}

function callOf({ name, args, mode }: z.infer<typeof Arguments>, tools: readonly WorldTool[]): ExpectedCall {
  const { properties = {} } = tools.find(tool => tool.name === name)?.parameters ?? {}
  const others = mode === 'exact' ? [] : Object.keys(properties as object).map(parameter => [parameter, { $any: true }] as const)
  return { name, arguments: { ...Object.fromEntries(others), ...args } }
}

/** What is graded of the last answer, and what a judge decides of the conversation. */
export function answerExpectations({ assertions, threshold }: Pick<PromptfooCase, 'assertions' | 'threshold'>) {
  const isRubric = ({ type }: CaseAssertion) => needsJudge(type) && !isSimilar(type)
  const criteria = assertions.filter(isRubric).map(rubricOf)
  const ruled = assertions.filter(one => !isRubric(one))
  const graded = ruled.filter(one => !isSimilar(one.type) && !isMeasured(one) && !hasScripts({ assertions: [one], transform: undefined }))
  const expected: Pick<WorldExpectation, 'answer' | 'criteria'> = {
    ...(graded.length > 0 && {
      answer: {
        scorer: 'promptfoo/test',
        options: { test: { assertions: graded, ...(threshold && criteria.length === 0 && { threshold }) } },
        targets: [],
      },
    }),
    ...(criteria.length > 0 && { criteria: criteria.filter(text => text.trim() !== '') }),
  }
  return {
    expected,
    left: ruled
      .filter(one => !graded.includes(one))
      .map(({ type }) => `"${type}": worlds run no scripts of tests, compare no embeddings and time no answers`),
  }
}
