import { z } from 'zod'
import type { SampleEpisode } from '../../../contract/runs/samples.schemas.ts'
import type { WorldTask, WorldTool } from '../../../contract/worlds/worlds.schemas.ts'
import { isEqual } from '../../grading/worlds/json-values.ts'
import type { PlainCall } from './python-calls.ts'

/** Parts of the state that BFCL does not compare. */
const ignored = ['/GorillaFileSystem/cwd']

/**
 * A task that expects what its reference did: the state at the end, and the calls that changed nothing. Arguments that a function can do
 * without may be left out where the reference has their default.
 * @param played the reference, one call a turn
 */
export function expectReference(
  task: WorldTask,
  reference: readonly PlainCall[],
  { state, steps }: Pick<SampleEpisode, 'state' | 'steps'>,
  tools: readonly WorldTool[],
): WorldTask {
  const changed = new Set(steps?.filter(({ changes }) => changes.some(({ path }) => !isIgnored(path))).map(({ turn }) => turn))
  const failed = new Set(steps?.filter(({ calls }) => calls.some(({ error }) => error)).map(({ turn }) => turn))
  const told = reference.filter((_, i) => !changed.has(i + 1) && !failed.has(i + 1))
  return {
    ...task,
    expected: {
      ...task.expected,
      ...(Object.keys(state).length > 0 && { state, ignored_paths: ignored }),
      calls: { subset: told.map(call => ({ name: call.name, arguments: rulesOf(call, tools) })) },
    },
    reference: { calls: reference.map(call => ({ ...call, arguments: { ...call.arguments } })), answer: 'Done.' },
  }
}

const isIgnored = (path: string): boolean => ignored.some(each => path === each || path.startsWith(`${each}/`))

function rulesOf({ name, arguments: given }: PlainCall, tools: readonly WorldTool[]): Record<string, unknown> {
  const { properties, required } = Parameters.parse(tools.find(tool => tool.name === name)?.parameters ?? {})
  const optional = Object.entries(properties).filter(([parameter]) => !required.includes(parameter))
  const rules = optional.map(([parameter, { default: usual = null }]) => {
    const value = Object.hasOwn(given, parameter) ? given[parameter] : usual
    return [parameter, isEqual(value, usual) ? { $optional: value } : value] as const
  })
  return { ...given, ...Object.fromEntries(rules) }
}

const Parameters = z.object({
  properties: z.record(z.string(), z.looseObject({ default: z.unknown().optional() })).default({}),
  required: z.array(z.string()).default([]),
})
