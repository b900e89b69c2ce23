import dns from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { mulberry32 } from '../../src/engine/statistics/random.ts'
import { examine } from '../../src/service/doctor/index.ts'
import { openApiDocument } from '../../src/service/http/openapi.ts'
import { type Exchange, exchangeWith } from '../support/fuzz/exchange.ts'
import { drawRequest } from '../support/fuzz/requests.ts'
import { createSchemaValues, isJson } from '../support/fuzz/schema-values.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestClient, type TestService } from '../support/service.ts'
import { patience } from '../support/machine-speed.ts'

/** `npm run test:fuzz` asks for more; the seed of a failure is in its message. */
const seed = Number(process.env['ASSAY_FUZZ_SEED'] ?? 20_261_120)
const rounds = Number(process.env['ASSAY_FUZZ_ROUNDS'] ?? 6)

/** Ending the session that asks would end the test: these are asked by the key, which has none. */
const bySession = (id: string) => !['signOut', 'endSession'].includes(id)
/** Whose ids are better not found by those that end things. */
const unharvested = ['listSessions', 'getMe', 'listMembers', 'listApiKeys']

const realLookup = dns.lookup
/** No name leads anywhere, so that nobody outside is asked and nothing waits for one. */
const nowhere = (name: string, options: object, callback: (error: Error | null, ...found: never[]) => void) =>
  isIP(name) === 0
    ? setImmediate(callback, Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
    : realLookup(name, options, callback as never) // what Node passes on

let service: TestService
let exchange: Exchange
const patienceMs = 20_000 * patience()
const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
/** Statuses answered, by operation. */
const answered = new Map<string, Set<number>>()

beforeAll(async () => {
  process.on('unhandledRejection', note)
  service = await startTestService()
  exchange = exchangeWith(service.baseUrl, patienceMs)
  Object.assign(dns, { lookup: nowhere })
  syncBuiltinESMExports()
  await prepare(service.client)
})
afterAll(async () => {
  process.off('unhandledRejection', note)
  Object.assign(dns, { lookup: realLookup })
  syncBuiltinESMExports()
  exchange.close()
  await service.close()
})

/** Something of every kind, for requests to meet. */
async function prepare(client: TestClient): Promise<void> {
  known.set('route_id', ['assay/random', 'assay/oracle-50'])
  const benchmark = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const { profiles, slug } = benchmark
  const sourceRef = benchmark.latest_version?.source_ref ?? ''
  const ids = profiles.map(profile => profile.id)
  known.set('profile_id', ids)
  known.set('slug', [slug])
  const model = { kind: 'managed', route_id: 'assay/oracle-50' } as const
  const runs: string[] = []
  for (const seed of [1, 2]) {
    const coverage = { mode: 'sample', sample_count: 5, seed } as const
    const { id } = await quote(client, { model, profiles: ids.slice(0, 1), coverage })
    harvest(id, 'quote_id', 'id')
    const run = await runToEnd(client, service.baseUrl, (await submit(client, id)).id)
    harvest(run, 'run_id')
    runs.push(run.id)
    const samples = await client.call('listSamples', { params: { run_id: run.id } })
    harvest(samples, 'sample_id')
    harvest(await client.call('createNote', { params: { run_id: run.id }, body: { note: 'fuzzed' } }), 'note_id')
  }
  const { items } = await client.call('listTasks', { query: { source_ref: sourceRef, limit: 5 } })
  harvest(items, 'task_id')
  known.set('source_ref', [sourceRef])
  known.set('split', ['test'])
  const dataset = await client.call('createDataset', { body: { name: 'fuzzed', task: 'answer' } })
  harvest(dataset, 'dataset_id')
  const params = { dataset_id: dataset.id }
  const added = await client.call('addExamples', {
    params,
    body: { examples: [{ input: 'a', output: 'b', label: 'pass' }, { input: 'c' }] },
  })
  harvest(added, 'example_id')
  const example = { ...params, example_id: added.items[0]?.example_id ?? '' }
  await client.call('reviewExample', { params: example, body: { revision: 1, decision: 'approve' } })
  harvest(await client.call('createDatasetVersion', { params, body: {} }), 'version_id')
  harvest(await client.call('createPurchase', { body: { amount_microusd: '1000000' } }), 'purchase_id')
}

const document = openApiDocument(api)
const known = new Map<string, string[]>()
const values = createSchemaValues(document, mulberry32(seed), known)

/** What paths call the id of the things that a listing holds: `run_id` for those of `/v1/runs`. */
function idNameOf(endpoint: Endpoint): string {
  const below = Object.values<Endpoint>(api).find(other => other.path.startsWith(`${endpoint.path}/{`))
  return /\{(\w+)\}/.exec(below?.path.slice(endpoint.path.length) ?? '')?.[1] ?? 'id'
}

/** Remembers the texts of an answer by the names of their fields, so that later requests name what exists. */
function harvest(answer: unknown, idName: string, name = ''): void {
  if (typeof answer === 'string') {
    const key = name === 'id' ? idName : name
    const list = known.get(key) ?? []
    known.set(key, list)
    if (answer.length < 300 && list.length < 200 && !list.includes(answer)) list.push(answer)
  } else if (Array.isArray(answer)) for (const item of answer.slice(0, 20)) harvest(item, idName, name.replace(/s$/, ''))
  else if (isJson(answer)) for (const [key, value] of Object.entries(answer)) harvest(value, idName, key)
}

interface Asked {
  readonly id: string
  readonly endpoint: Endpoint
  readonly operation: Readonly<Record<string, unknown>>
  readonly idName: string
}

const operations = Object.entries<Endpoint>(api).map(
  ([id, endpoint]): Asked => ({
    id,
    endpoint,
    operation: operationOf(endpoint),
    idName: idNameOf(endpoint),
  }),
)

function operationOf(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  const paths = document['paths']
  const item = isJson(paths) ? paths[endpoint.path] : undefined
  const operation = isJson(item) ? item[endpoint.method.toLowerCase()] : undefined
  if (!isJson(operation)) throw new Error(`${endpoint.path} is not in the document.`)
  return operation
}

async function ask({ id, endpoint, operation, idName }: Asked): Promise<string | null> {
  const { path, init } = drawRequest(operation, endpoint, values)
  const client = bySession(id) ? service.client : service.keyClient
  const asked = `${init.method} ${path.slice(0, 200)} ${String(init.body ?? '').slice(0, 300)}`
  const isRead = (status: number) => endpoint.kind !== 'events' || status >= 400
  const reply = await exchange.send(path, { ...init, headers: { ...client.headers, ...init.headers } }, isRead).catch((error: unknown) => {
    throw new Error(`${asked} got no answer`, { cause: error })
  })
  if (reply === null) return `${asked} → no answer within ${patienceMs / 1000} s`
  const { status, headers, body } = reply
  answered.set(id, (answered.get(id) ?? new Set()).add(status))
  if (!isRead(status)) return null
  const said = `${asked} → ${status}`
  const requestId = String(headers['x-request-id'] ?? '')
  // A provider that can't be reached is an answer of the operations that ask one.
  const isDeclared = status === 503 || (status === 502 && endpoint.errors?.includes('provider_error'))
  if (status >= 500 && !isDeclared) return `${said} ${body.toString().slice(0, 300)} ${await causeOf(requestId)}`
  // A head too large is refused by Node's parser, before there is a request to speak of.
  if (status === 431) return null
  if (requestId === '') return `${said} without X-Request-Id`
  if (status >= 400)
    return ErrorBody.safeParse(parsed(body)).success ? null : `${said} without an error body: ${body.toString().slice(0, 200)}`
  const type = headers['content-type'] ?? ''
  if (endpoint.kind === 'file' || type === 'application/x-protobuf' || type.startsWith('text/html') || isKnown(id, body)) return null
  const answer = parsed(body)
  const checked = endpoint.response?.safeParse(answer)
  if (checked && !checked.success) return `${said} outside the contract: ${checked.error.message.slice(0, 300)}`
  if (!unharvested.includes(id)) harvest(answer, idName)
  return null
}

/** Answers of an operation that were found good, the latest of them: many are the same each time. */
const good = new Map<string, Buffer[]>()
function isKnown(id: string, body: Buffer): boolean {
  const latest = good.get(id) ?? []
  if (latest.some(other => other.equals(body))) return true
  good.set(id, [body, ...latest.slice(0, 15)])
  return false
}

/** What the service's log, which is written a moment later, says of a request. */
async function causeOf(requestId: string): Promise<string> {
  const path = join(service.dataDir, 'logs', 'service.log')
  const cause = () =>
    (existsSync(path) ? readFileSync(path, 'utf8') : '').split('\n').find(line => line.includes(requestId) && line.includes('"err"'))
  await expect.poll(cause).toBeDefined()
  return cause()?.slice(0, 2000) ?? ''
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

describe(`whatever is asked (seed ${seed}, ${rounds} rounds)`, () => {
  test('every operation answers as the contract says, and never 500', { timeout: 3_600_000 * patience() }, async () => {
    const failures: string[] = []
    for (let round = 0; round < rounds; round++) {
      for (const operation of operations) {
        const failure = await ask(operation)
        if (failure === null) continue
        const said = `${operation.id}: ${failure}`
        failures.push(said)
        // At once, so that a long run may be stopped.
        console.error(`round ${round}, ${said}`)
      }
      if (round % 100 === 99) console.error(`${round + 1} rounds`)
    }
    expect(failures).toEqual([])
    expect(unhandled).toEqual([])
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted')
  })

  test('requests got through: things were made, read and refused', () => {
    expect(known.get('id')?.length).toBeGreaterThan(20)
    const carriedOut = [...answered].filter(([, statuses]) => [200, 201, 202].some(status => statuses.has(status))).map(([id]) => id)
    // Without a queue every operation of workers is refused.
    const possible = Object.values<Endpoint>(api).filter(({ path }) => !path.startsWith('/v1/workers'))
    // What an operation is about is often gone in a short run; in a long one most of them succeed.
    expect(carriedOut.length).toBeGreaterThan(possible.length / 3)
  })

  test('what is stored is sound afterwards', () => {
    const { findings } = examine({ dataDir: service.dataDir, backup: false, now: new Date() })
    expect(findings.filter(finding => finding.faults.length > 0)).toEqual([])
  })
})
