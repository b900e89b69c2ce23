import { z } from 'zod'
import { named } from '../primitives.ts'

/** Characters of `extra_body` and of a schema, as JSON. */
const longestJson = 50_000

const JsonObject = z
  .record(z.string().min(1).max(200), z.json())
  .refine(value => JSON.stringify(value).length <= longestJson, `at most ${longestJson} characters as JSON`)

/**
 * What Assay sets itself, by the path in the body, and where to set it instead. A key here would contradict what the quote says.
 */
const refusedKeys: Readonly<Record<string, string>> = {
  model: 'set the model of the connection instead',
  messages: 'the benchmark sets it',
  input: 'the benchmark sets it',
  prompt: 'the benchmark sets it',
  system: 'the benchmark sets it',
  instructions: 'the benchmark sets it',
  tools: 'the benchmark sets it',
  functions: 'the benchmark sets it',
  stream: 'set streaming of the connection instead',
  stream_options: 'set streaming of the connection instead',
  max_tokens: 'set max output tokens of the quote instead',
  max_completion_tokens: 'set max output tokens of the quote instead',
  max_output_tokens: 'set max output tokens of the quote instead',
  num_predict: 'set max output tokens of the quote instead',
  'options.num_predict': 'set max output tokens of the quote instead',
  temperature: 'set the temperature of the quote instead',
  'options.temperature': 'set the temperature of the quote instead',
  reasoning_effort: 'set the reasoning effort of the quote instead',
  'reasoning.effort': 'set the reasoning effort of the quote instead',
  'output_config.effort': 'set the reasoning effort of the quote instead',
  n: 'one answer is read per call; set epochs of the quote instead',
  best_of: 'one answer is read per call; set epochs of the quote instead',
  top_p: 'use the setting top_p',
  'options.top_p': 'use the setting top_p',
  top_k: 'use the setting top_k',
  'options.top_k': 'use the setting top_k',
  seed: 'use the setting seed',
  'options.seed': 'use the setting seed',
  stop: 'use the setting stop',
  stop_sequences: 'use the setting stop',
  'options.stop': 'use the setting stop',
  frequency_penalty: 'use the setting frequency_penalty',
  'options.frequency_penalty': 'use the setting frequency_penalty',
  chat_template_kwargs: 'use the setting chat_template_kwargs',
  response_format: 'use the setting response_format',
  'text.format': 'use the setting response_format',
  'output_config.format': 'use the setting response_format',
  format: 'use the setting response_format',
}

/** Each refused key of an extra body, with what to do instead. */
function refusedIn(body: Readonly<Record<string, unknown>>): string[] {
  const within = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).map(inner => `${name}.${inner}`) : [],
  )
  return [...Object.keys(body), ...within].flatMap(path => {
    const advice = Object.hasOwn(refusedKeys, path) ? refusedKeys[path] : undefined
    return advice === undefined ? [] : [`${path}: ${advice}`]
  })
}

const ExtraBody = JsonObject.superRefine((body, context) => {
  const refused = refusedIn(body)
  if (refused.length > 0) context.addIssue({ code: 'custom', message: `cannot set ${refused.join('; ')}` })
}).describe(
  'Added to the body of every call, objects merged. For what a provider takes beyond the settings here; keys that Assay sets itself are refused by name.',
)

export const ResponseFormat = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores')
      .default('answer'),
    schema: JsonObject.describe('JSON Schema of the answer.'),
    strict: z.boolean().default(true).describe('Whether the provider must enforce the schema.'),
  })
  .describe('Answers as JSON after a schema, in the form of the protocol.')

export type ResponseFormat = z.infer<typeof ResponseFormat>

/** What is sent with every call of a connection beside the benchmark's own settings; null and empty: not sent. */
export const RequestSettings = named('RequestSettings', {
  top_p: z.number().gt(0).max(1).nullable().default(null),
  top_k: z.int().min(-1).max(1_000_000).nullable().default(null).describe('Some servers take 0 or −1 for no limit.'),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().default(null).describe('The same for every call, epochs included.'),
  stop: z.array(z.string().min(1).max(200)).max(16).default([]).describe('Added to the stop sequences of the benchmark.'),
  frequency_penalty: z.number().min(-2).max(2).nullable().default(null),
  chat_template_kwargs: JsonObject.nullable().default(null).describe('Variables of the server’s chat template.'),
  response_format: ResponseFormat.nullable().default(null),
  system_as_user: z.boolean().default(false).describe('Sends the system prompt at the head of the first user message.'),
  prompt_cache: z
    .exactOptional(z.boolean())
    .describe(
      'Marks what calls share (tools, system prompt, the conversation so far) for the provider’s prompt cache. For Anthropic, which caches only what is marked, for OpenAI’s models from GPT-5.6, and for the Qwen models of Model Studio by chat completions. They bill what is written at 1.25 times input: state that rate. Gemini, Groq, Cerebras, Qwen and OpenAI also cache by themselves. Other models refuse the setting. Absent: no marks.',
    ),
  extra_body: ExtraBody.default({}),
})
export type RequestSettings = z.infer<typeof RequestSettings>

export const noRequestSettings: RequestSettings = RequestSettings.parse({})

/** What a check found an endpoint to take. Null: the protocol has no such parameter, or it was not tried. */
export const EndpointParameters = named('EndpointParameters', {
  output_limit: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .nullable()
    .describe('Parameter for max output tokens; null where the protocol has only one.'),
  system_role: z.boolean().nullable().describe('False: system prompts are sent at the head of the first user message.'),
  temperature: z.boolean().nullable().describe('False: none is sent, so the provider’s default applies.'),
  seed: z.boolean().nullable(),
  streaming: z.boolean().nullable().describe('False: answers are requested whole, though streaming is on.'),
  stream_usage: z.boolean().nullable().describe('False: a stream is requested without token counts.'),
})
export type EndpointParameters = z.infer<typeof EndpointParameters>

/** Of an endpoint that was never asked. */
export const unknownParameters: EndpointParameters = {
  output_limit: null,
  system_role: null,
  temperature: null,
  seed: null,
  streaming: null,
  stream_usage: null,
}

/** The settings that are sent, as name and value for people: `top_p 0.9`. */
export function describeRequestSettings(settings: RequestSettings): { readonly name: string; readonly value: string }[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const isUnset = value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
    return isUnset ? [] : [{ name, value: typeof value === 'object' ? JSON.stringify(value) : String(value) }]
  })
}
