import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../../src/contract/api.ts'
import { createSecretValues, scrubParts, scrubTyped, typedFields } from '../../../src/service/http/typed-text.ts'
import { cpuMsOf, slowness } from '../../support/machine-speed.ts'

const secret = 'sk-stored-value-of-a-connection'

/** Free text that is kept exactly. */
const exactFields = new Set([
  // Identifiers, codes and digests of things that exist.
  'code',
  'recipe',
  'version',
  'target',
  'choices',
  'id',
  'ids',
  'groups',
  'depends_on',
  'extends',
  'model',
  'route_id',
  'profile_ids',
  'profile_id',
  'metric',
  'scorer',
  'source_ref',
  'add_tags',
  'remove_tags',
  'tag',
  'benchmark',
  'task_ids',
  // Of a folder that is imported: the name of one of its files.
  'task',
  // Of answers, which the provider is sent as it is.
  'schema',
  'models',
  'cluster_by',
  'cursor',
  'project_id',
  'resource_id',
  'path',
  'request_id',
  'error_code',
  'method',
  'origin',
  'any_of',
  'sha256',
  'trace_id',
  'tool_call_id',
  'language',
  'remove',
  'arm',
  // Amounts and times.
  'max_microusd_per_task',
  'max_monthly_microusd',
  'ceiling_microusd',
  'provider_ceiling_microusd',
  'amount_microusd',
  'input_microusd_per_million',
  'output_microusd_per_million',
  'cached_input_microusd_per_million',
  'cache_write_microusd_per_million',
  'image_input_microusd_per_million',
  'audio_input_microusd_per_million',
  'reasoning_microusd_per_million',
  'audio_output_microusd_per_million',
  'max_charge_microusd',
  'max_provider_billed_microusd',
  'budget_microusd',
  // Secrets, which are sealed.
  'api_key',
  'headers',
  'public_key',
  'key_fingerprint',
  'secret_key',
  'access_key',
  // What a worker read in an output that the service has.
  'answer',
  // Content of datasets, which must be what it was.
  'input',
  'output',
  'expected',
  'actual',
  'role',
  'content',
  'type',
  'a',
  'b',
  'label',
  'labels',
  'value',
  // Columns and fields of a file that is imported, or of a dataset.
  'task_field',
  'value_field',
  'group_by',
  'critical_values',
  'task_id',
  'question',
  'group',
  'index',
  'epoch',
  'error',
  'input_tokens',
  'output_tokens',
  'latency_ms',
  'output_a',
  'output_b',
  'label_values',
  'date',
  'column',
  'tasks',
  'examples',
  'score',
  'reference',
  'cluster',
  'turn_targets',
  // A judge's wording, which the digest of its evaluator covers.
  'metadata',
  'instructions',
  'text',
  'meaning',
  'template',
  // What is chosen or searched for.
  'cron',
  'time_zone',
  'tested_metrics',
  'q',
  // Content of packages: their digest and signature cover it, and the check `secrets` refuses a secret in it.
  '$schema',
  'namespace',
  'license',
  'citation',
  'languages',
  'capabilities',
  'derived_from',
  'canary',
  'key',
  'prompt_template',
  'shot_template',
  'system_prompt',
  'stop',
  'media_type',
  // Of a file that a case shows: sent to the model as it is.
  'alt',
  'transcript',
  // What a worker reports: its sandbox, a scorer's explanation, and a call's outcome, which `redact` cleans like the service's own.
  'interpreter',
  'platform',
  'probes_digest',
  'explanation',
  'arguments',
  'message',
  // What models and their servers said, with the rest of an answer.
  'reasoning',
  'finish_reason',
  'finishReason',
  'servedModel',
  // Names that a batch is matched by, and settings that are sent as they are; the connection refuses those that look like a key.
  'worker_labels',
  'chat_template_kwargs',
  // Certificates are public, and checked to be nothing else.
  'ca_certificates',
  // Cleaned by feedback itself.
  'summary',
  'details',
  'resolution_note',
  // Must equal the label that the evidence states.
  'confirmed_label',
  // Names of models in battles, which are stored nowhere.
  'model_a',
  'model_b',
  // Names of columns and folders, and hosts that the proxy leaves out.
  'media',
  'turns',
  'from',
  'except',
  // Content of environments, which their digest covers.
  'slug',
  'result',
  'source',
  'ignored_paths',
  'persona',
  'facts',
  'opening',
  'criteria',
  'base_task_id',
  'tool_text',
  'rewrites',
  'targets',
  'policy_rule',
  'same_arguments',
  'changed',
  'said',
  'attacker_asks',
  // Sent to the model as it was typed, and stored nowhere.
  'prompt',
])

interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string
  readonly enum?: unknown
  readonly const?: unknown
  readonly format?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** Names of the properties of a body that hold free text. */
function textFields(root: JsonSchema): Set<string> {
  const found = new Set<string>()
  const seen = new Set<JsonSchema>()
  const walk = (schema: JsonSchema | boolean | undefined, key: string): void => {
    if (typeof schema !== 'object' || seen.has(schema)) return
    seen.add(schema)
    if (schema.$ref) return walk(root.$defs?.[schema.$ref.replace('#/$defs/', '')], key)
    if (schema.type === 'string' && !schema.enum && schema.const === undefined && !schema.format) found.add(key)
    for (const [name, property] of Object.entries(schema.properties ?? {})) walk(property, name)
    for (const inner of [
      schema.items,
      schema.additionalProperties,
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ])
      walk(inner, key)
  }
  walk(root, '')
  return found
}

describe('what people type', () => {
  test('every free text field of a request is scrubbed or kept exactly for a stated reason', () => {
    const undecided = Object.entries(api).flatMap(([id, endpoint]) => {
      const body = 'body' in endpoint ? endpoint.body : undefined
      if (body === undefined) return []
      // A JSON schema is what zod makes; only the parts above are read.
      const fields = textFields(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
      return [...fields].filter(field => !typedFields.has(field) && !exactFields.has(field)).map(field => `${id}: ${field}`)
    })
    expect(undecided).toEqual([])
  })

  test('loses stored values wherever it is, and in their encodings', async () => {
    const encoded = Buffer.from(secret).toString('hex')
    const body = { name: `run with ${secret}`, api_key: secret, deep: [{ note: encoded, input: secret }], count: 3 }
    expect(await scrubTyped(body, async () => [secret])).toEqual({
      name: 'run with [removed]',
      api_key: secret,
      deep: [{ note: '[removed]', input: secret }],
      count: 3,
    })
  })

  test('is also the reason of a verdict, the comment of an approval, pasted code and where evidence comes from', async () => {
    const typed = ['rationale', 'comment', 'snippet', 'tool', 'url', 'commit', 'ref']
    const body = Object.fromEntries(typed.map(field => [field, `see ${secret}`]))
    expect(await scrubTyped(body, async () => [secret])).toEqual(Object.fromEntries(typed.map(field => [field, 'see [removed]'])))
  })

  test('stays as it is without secrets, and none are read where nothing was typed', async () => {
    const named = { name: 'nightly' }
    expect(await scrubTyped(named, async () => [])).toBe(named)
    const asked = { model: { kind: 'managed' } }
    expect(await scrubTyped(asked, () => Promise.reject(new Error('read')))).toBe(asked)
  })

  test('is scrubbed in forms too', async () => {
    async function* form() {
      yield { kind: 'field', name: 'name', value: secret } as const
      yield { kind: 'field', name: 'recipe', value: secret } as const
    }
    const parts = []
    for await (const part of scrubParts(form(), async () => [secret])) parts.push(part)
    expect(parts).toEqual([
      { kind: 'field', name: 'name', value: '[removed]' },
      { kind: 'field', name: 'recipe', value: secret },
    ])
  })

  test('is compared with the secrets of every source of its workspaces', async () => {
    const values = createSecretValues()
    values.add(async id => [`connection ${id}`])
    values.add(async id => [`integration ${id}`])
    expect(await values.of(['a', 'b'])).toEqual(['connection a', 'integration a', 'connection b', 'integration b'])
  })
})

test('pasted code is kept without what looks like a secret, other fields as they were typed', async () => {
  const body = { name: 'sk-proj-abcdefgh1234', draft: { call: { snippet: 'OpenAI(api_key="sk-proj-abcdefgh1234", model="m")' } } }
  expect(await scrubTyped(body, async () => [])).toEqual({
    name: 'sk-proj-abcdefgh1234',
    draft: { call: { snippet: 'OpenAI(api_key="[removed]", model="m")' } },
  })
})

test('takes time that grows with the texts and not with texts times secrets', async () => {
  const secrets = Array.from({ length: 50 }, (_, i) => `sk-stored-value-of-connection-${i}`)
  const calls = Array.from({ length: 60_000 }, (_, i) => ({ name: i === 7 ? `tool ${secrets[3]}` : 'tool' }))
  let scrubbed: unknown
  const took = await cpuMsOf(async () => {
    scrubbed = await scrubTyped({ calls }, async () => secrets)
  })
  expect(JSON.stringify(scrubbed)).not.toContain('sk-stored')
  expect(scrubbed).toMatchObject({ calls: { 6: { name: 'tool' } } })
  expect(took).toBeLessThan(1_000 * slowness())
})
