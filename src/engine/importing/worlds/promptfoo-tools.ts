import { z } from 'zod'
import type { WorldTool } from '../../../contract/worlds/worlds.schemas.ts'
import { RowError } from '../files/row.ts'
import { isFilePath, type SentFiles } from '../files/foreign/promptfoo-files.ts'

const Described = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  input_schema: z.record(z.string(), z.unknown()).nullish(),
})
/** Of OpenAI's chat, with the function in a field of its own, or flat as in its responses and Anthropic's messages. */
const Tool = z.union([z.looseObject({ function: Described }).transform(tool => tool.function), Described])
const Callbacks = z.record(z.string(), z.unknown())

/** Of the providers of a configuration, those that bring tools. */
export const ToolProviders = z.array(
  z.union([
    z.looseObject({ config: z.looseObject({ tools: z.unknown().optional(), functionToolCallbacks: Callbacks.nullish() }).nullish() }),
    z.unknown().transform(() => ({ config: null })),
  ]),
)

/** What a callback would need that a world does not have. */
const outside = /\bawait\b|\bfetch\b|\brequire\b|\bimport\b|\bprocess\b/

/**
 * The tools that providers bring. One with a callback in JavaScript is that function; another is played by a model where one is chosen, or
 * says that it was called.
 * @throws RowError for a tool that cannot be read
 */
export function promptfooTools(providers: z.infer<typeof ToolProviders>, sent: SentFiles, isSimulated: boolean) {
  const left: string[] = []
  const tools = new Map<string, WorldTool>()
  for (const { config } of providers) {
    const callbacks = config?.functionToolCallbacks ?? {}
    for (const given of [config?.tools ?? []].flat().flatMap(tool => (isFilePath(tool) ? [sent.settings(tool)].flat() : [tool]))) {
      const read = Tool.safeParse(given)
      if (!read.success) throw new RowError(`The tool ${JSON.stringify(given).slice(0, 100)} must have a name and parameters.`)
      const { name, description, parameters, input_schema: schema } = read.data
      if (tools.has(name)) continue
      const behavior = behaviorOf(Object.hasOwn(callbacks, name) ? callbacks[name] : undefined, isSimulated)
      if (behavior.kind !== 'function')
        left.push(
          `the ${Object.hasOwn(callbacks, name) ? 'callback' : 'result'} of the tool "${name}": ${isSimulated ? 'the model of the simulated user plays it' : 'it answers "ok" to every call'}`,
        )
      tools.set(name, {
        name,
        description: (description ?? '').slice(0, 4_000),
        parameters: { type: 'object', properties: {}, ...(parameters ?? schema) },
        behavior,
      })
    }
  }
  return { tools: [...tools.values()], left }
}

/** Callbacks take the arguments as JSON. */
function behaviorOf(callback: unknown, isSimulated: boolean): WorldTool['behavior'] {
  if (typeof callback === 'string' && !callback.startsWith('file://') && !outside.test(callback)) {
    const code = callback
      .trim()
      .replace(/^async\s+/, '')
      .replace(/;$/, '')
    return { kind: 'function', source: `(state, args) => ({\n  state,\n  result: (${code})(JSON.stringify(args)),\n})` }
  }
  return isSimulated ? { kind: 'model', instructions: '' } : { kind: 'canned', results: [{ result: 'ok' }] }
}
