import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { parseJsonLiteral } from '../python/literal.ts'
import type { PyValue } from '../python/values.ts'
import { judged, unscored } from '../verdict.ts'
import { callFault, type FunctionDoc } from './check-call.ts'
import { fieldsOf, readCalls } from './read-calls.ts'

/** Calls that a task expects, with its documentation where it brings one. */
interface Expected {
  readonly calls: readonly { readonly name: string; readonly wanted: ReadonlyMap<string, readonly PyValue[]> }[]
  readonly docs: ReadonlyMap<string, FunctionDoc> | null
}

export const bfclCalls = defineScorer({
  id: 'bfcl/ast',
  version: 3,
  title: 'Function calls (BFCL)',
  description:
    'The calls of the answer against the possible answers of the Berkeley Function Calling Leaderboard, for Python: each expected call once, in any order, with the values that are accepted for each parameter. The target is the JSON of `ground_truth`, or of {"function", "ground_truth"}, with whose documentation types and required parameters are checked; an empty `ground_truth` expects no call.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      const expected = expectedOf(targets)
      if (!expected) return unscored('The target is not the JSON of possible answers, such as [{"f": {"a": [1]}}].')
      const calls = readCalls(output)
      if (expected.calls.length === 0)
        return judged(!calls || calls.length === 0, {
          answer: output.trim(),
          explanation: calls?.length ? 'A call is made where none is expected.' : 'No call is made, as expected.',
        })
      if (!calls) return judged(false, { answer: null, explanation: 'The output is not a list of function calls.' })
      const answer = output.trim()
      if (calls.length !== expected.calls.length)
        return judged(false, { answer, explanation: `The output has ${calls.length} calls where ${expected.calls.length} are expected.` })
      const left = new Set(calls)
      for (const { name, wanted } of expected.calls) {
        const faults = [...left].map(call => ({ call, fault: callFault(call, name, wanted, expected.docs?.get(name) ?? null) }))
        const fitting = faults.find(({ fault }) => fault === null)
        if (!fitting) return judged(false, { answer, explanation: `No call is the expected one of ${name}: ${faults[0]?.fault ?? ''}.` })
        left.delete(fitting.call)
      }
      return judged(true, { answer, explanation: `${calls.length === 1 ? 'The call is' : 'The calls are'} as expected.` })
    }
  },
})

/** Several targets are the calls of one answer. */
function expectedOf(targets: readonly string[]): Expected | null {
  const values = targets.map(target => parseJsonLiteral(target))
  const [only] = values
  const whole = values.length === 1 && only ? fieldsOf(only) : null
  const truth = whole?.get('ground_truth')
  const given: readonly (PyValue | null)[] = truth ? [truth] : values
  const listed = given.flatMap((value): readonly (PyValue | null)[] => (value?.type === 'list' ? value.items : [value]))
  const calls = listed.map(value => (value ? callOf(value) : null))
  if ((calls.length === 0 && truth?.type !== 'list') || calls.includes(null)) return null
  const functions = truth ? whole?.get('function') : undefined
  return {
    calls: calls.filter(call => call !== null),
    docs: functions ? new Map((functions.type === 'list' ? functions.items : [functions]).flatMap(docOf)) : null,
  }
}

function callOf(value: PyValue): Expected['calls'][number] | null {
  const fields = fieldsOf(value)
  const [call, other] = fields ? [...fields] : []
  const params = call && other === undefined ? fieldsOf(call[1]) : null
  if (!call || !params) return null
  return { name: call[0], wanted: new Map([...params].map(([name, one]) => [name, one.type === 'list' ? one.items : [one]])) }
}

function docOf(value: PyValue): (readonly [string, FunctionDoc])[] {
  const fields = fieldsOf(value)
  const parameters = fields?.get('parameters')
  const schema = parameters ? fieldsOf(parameters) : null
  const name = fields?.get('name')
  if (name?.type !== 'str' || !schema) return []
  const properties = schema.get('properties')
  const required = schema.get('required')
  const described = properties ? fieldsOf(properties) : null
  const types = [...(described ?? new Map<string, PyValue>())].map(([param, one]) => {
    const said = fieldsOf(one)
    const items = said?.get('items')
    return [param, { type: textOf(said?.get('type')) ?? 'any', items: items ? textOf(fieldsOf(items)?.get('type')) : null }] as const
  })
  const names = required?.type === 'list' ? required.items.flatMap(item => textOf(item) ?? []) : []
  return [[name.value, { required: names, types: new Map(types) }]]
}

function textOf(value: PyValue | undefined): string | null {
  return value?.type === 'str' ? value.value : null
}
