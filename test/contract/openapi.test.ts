import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { bodyExamples } from '../../src/contract/examples.ts'
import { api } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { areas, tags } from '../../src/contract/tags.ts'
import { openApiDocument, openApiDocumentOf } from '../../src/service/http/openapi.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const require = createRequire(import.meta.url)
const operations = Object.entries<Endpoint>(api)
const examples: Readonly<Record<string, object>> = bodyExamples

const ErrorResponse = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z.object({ 'application/json': z.object({ examples: z.record(z.string(), z.object({ $ref: z.string() })) }) }),
})

/** Fields that no test here looks at are left out. */
const Operation = z.object({
  operationId: z.string(),
  description: z.string(),
  'x-scopes': z.array(z.string()).optional(),
  parameters: z.array(z.looseObject({ $ref: z.string().optional() })),
  requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.unknown().optional() })) }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      $ref: z.string().optional(),
      headers: z.record(z.string(), z.unknown()).optional(),
      content: z.record(z.string(), z.object({ example: z.unknown().optional() })).optional(),
    }),
  ),
})
const Described = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ responses: z.record(z.string(), ErrorResponse) }),
})

const document = openApiDocument(api)
const described = Described.parse(document)
const found = Object.values(described.paths).flatMap(item => Object.values(item))

test('shows an example of every body, and each is valid', () => {
  const withBody = operations.filter(([, { body, kind }]) => body !== undefined || kind === 'raw')
  expect(Object.keys(examples).toSorted()).toEqual(withBody.map(([id]) => id).toSorted())
  for (const [id, { body }] of withBody) expect({ id, problem: body?.safeParse(examples[id]).error?.message }).toEqual({ id })
  for (const { operationId, requestBody } of found) {
    const without = Object.entries(requestBody?.content ?? {}).flatMap(([type, { example }]) => (example === undefined ? [type] : []))
    expect({ operationId, without }).toEqual({ operationId, without: [] })
  }
})

test('shows an example of every reply and every error', () => {
  for (const { operationId, responses } of found)
    for (const [status, { $ref, content = {} }] of Object.entries(responses)) {
      const without = Object.entries(content).flatMap(([type, { example }]) => (example === undefined ? [type] : []))
      expect({ operationId, status, without }).toEqual({ operationId, status, without: [] })
      expect({ operationId, status, described: $ref !== undefined || Object.keys(content).length > 0 }).toMatchObject({ described: true })
    }
  const { examples } = z.object({ examples: z.record(z.string(), z.object({ value: ErrorBody })) }).parse(document['components'])
  for (const [name, { content }] of Object.entries(described.components.responses)) {
    const codes = name.split('.').slice(1)
    expect(Object.keys(content['application/json'].examples)).toEqual(expect.arrayContaining(codes))
    expect(codes.map(code => examples[code]?.value.error.code)).toEqual(codes)
  }
})

test('shows an example of every JSON reply, and each is one that its own client would accept', () => {
  for (const { operationId, responses } of found) {
    const { response, kind, status } = operations.find(([id]) => id === operationId)?.[1] ?? {}
    if (!response || kind === 'events') continue
    const example = responses[String(status)]?.content?.['application/json']?.example
    // Traces are answered as they were sent, in protobuf or JSON; the example is of the JSON.
    if (kind === 'raw' && example === undefined) continue
    expect({ operationId, problem: response.safeParse(example).error?.message }).toEqual({ operationId })
  }
})

test('describes every operation beyond its summary', () => {
  for (const [id, { description, summary }] of operations)
    expect({ id, says: description.length > 10 && description !== summary }).toEqual({ id, says: true })
})

test('names every scope that opens an operation', () => {
  for (const [id, { scope, otherScopes = [] }] of operations) {
    const operation = found.find(({ operationId }) => operationId === id)
    const text = operation?.description ?? ''
    const needed = scope === 'public' || scope === 'principal' ? [] : [scope, ...otherScopes]
    expect({ id, missing: needed.filter(each => !text.includes(`\`${each}\``)) }).toEqual({ id, missing: [] })
    expect({ id, scopes: operation?.['x-scopes'] ?? [] }).toEqual({ id, scopes: otherScopes.length > 0 ? [...new Set(needed)] : [] })
    if (otherScopes.length > 0) expect({ id, text }).toMatchObject({ text: expect.stringContaining('Needs one of the scopes ') })
  }
})

test('says each thing once: at most 300 kB of distinct text', () => {
  const texts = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        texts.add(key)
        walk(inner)
      }
  }
  walk(document)
  expect([...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(300_000)
})

test('is served by area, each with all that its operations refer to', async () => {
  const documentOf = openApiDocumentOf(api)
  const documents = await Promise.all(areas.map(async area => [area, await documentOf(area)] as const))
  const ids = documents.flatMap(([area, document]) => {
    const part = Described.parse(document)
    const text = JSON.stringify(document)
    const components = z.record(z.string(), z.record(z.string(), z.unknown())).parse(document['components'])
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect({ area, kind, name, present: name in (components[kind] ?? {}) }).toEqual({ area, kind, name, present: true })
    return Object.values(part.paths).flatMap(item => Object.values(item).map(({ operationId }) => operationId))
  })
  expect(ids.toSorted()).toEqual(operations.map(([id]) => id).toSorted())
})

test('lets others have their turn while it is written', async () => {
  const isWritten = openApiDocumentOf(api)().then(() => true)
  let turns = 0
  while (!(await Promise.race([isWritten, nextTurn(false)]))) turns++
  expect(turns).toBeGreaterThan(operations.length / 2)
})

test('declares the version on every request and response, and replays wherever a key is honored', () => {
  for (const { operationId, parameters, responses } of found) {
    const idempotent = operations.find(([id]) => id === operationId)?.[1].idempotent !== undefined
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/ServiceVersion' })
    const success = Object.values(responses).find(({ headers }) => headers !== undefined)
    expect({ operationId, headers: Object.keys(success?.headers ?? {}) }).toEqual({
      operationId,
      headers: expect.arrayContaining(['X-Request-Id', 'Service-Version', ...(idempotent ? ['Idempotency-Replayed'] : [])]),
    })
  }
  for (const [name, { headers }] of Object.entries(described.components.responses)) {
    expect(headers).toHaveProperty('Service-Version')
    expect({ name, retryAfter: 'Retry-After' in headers }).toEqual({ name, retryAfter: /^Error(429|503)/.test(name) })
  }
})

test('describes every group of operations', () => {
  expect(Object.keys(tags).toSorted()).toEqual([...new Set(operations.map(([, { tag }]) => tag))].toSorted())
})

test('passes the lint of Redocly; its only warnings are of paths that a UUID tells apart', () => {
  const { path: folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = spawnSync(process.execPath, [cli, 'lint', file, '--format=json'], { cwd: folder, env, encoding: 'utf8' })
  const Report = z.object({
    totals: z.object({ errors: z.int() }),
    problems: z.array(z.object({ ruleId: z.string(), message: z.string() })),
  })
  const { totals, problems } = Report.parse(JSON.parse(stdout))
  expect(totals.errors).toBe(0)
  expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')).toEqual([])
  for (const { message } of problems)
    expect(message).toMatch(/\/v1\/(?:runs\/imports\/\{answer_import_id|environments\/drafts\/\{environment_draft_id)\}/)
})
