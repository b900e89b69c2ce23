import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Uuid } from '../../contract/primitives.ts'
import type { Api } from '../../contract/api.ts'
import { ServiceError } from '../../contract/client.ts'
import type { Response } from '../../contract/endpoint.ts'
import type { Quote, QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import type { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import { UsageError } from '../exit-codes.ts'
import { allPages } from './all-pages.ts'
import { isModelFile, routeOfFile } from './local-model.ts'
import type { ServiceClient } from './service-client.ts'

/** The evaluation request with names resolved. @throws UsageError for unknown or ambiguous names */
export async function quoteRequestOf(client: ServiceClient, config: RunConfig): Promise<QuoteRequest> {
  if (config.benchmarks === undefined)
    throw new UsageError('A suite runs exactly its own tasks and has no quote of its own: use "assay run --suite".')
  const { coverage } = config
  const { model, capabilities } = await findModel(client, config.model)
  const ids = []
  for (const name of config.benchmarks) ids.push(await profileIdOf(client, name, capabilities))
  return {
    model,
    selection: { profile_ids: ids },
    coverage: coverage === 'full' ? { mode: 'full' } : { mode: 'sample', sample_count: coverage.sample, seed: coverage.seed },
    max_charge_microusd: microUsdOf(config.cap_usd),
    execution: executionOf(config),
  }
}

/**
 * The id of the run that a person means: its id, its name, or `latest` for the one submitted last.
 * @throws UsageError when no run or more than one has the name
 */
export async function runIdOf(client: ServiceClient, text: string): Promise<string> {
  if (Uuid.safeParse(text).success) return text
  if (text === 'latest') {
    const { items } = await client.call('listRuns', { query: { limit: 1 } })
    if (items[0] === undefined) throw new UsageError('There is no run yet. "assay run --help" says how to submit one.')
    return items[0].id
  }
  const named: string[] = []
  for await (const { id, name } of allPages(query => client.call('listRuns', { query: { ...query, q: text.slice(0, 200) } })))
    if (name === text) named.push(id)
  return onlyOne(named, 'run', text, '"assay runs" lists them.')
}

/**
 * The id of the suite version that a person means: its id, or the name of a suite of the workspace or the catalog, for its newest version.
 * @throws UsageError when no suite or more than one has the name
 */
export async function suiteIdOf(client: ServiceClient, text: string): Promise<string> {
  if (Uuid.safeParse(text).success) return text
  const named: string[] = []
  for await (const { id, name } of allPages(query => client.call('listSuites', { query: { ...query, q: text.slice(0, 200) } })))
    if (name === text) named.push(id)
  for await (const { id, name } of allPages(query => client.call('listPublicSuites', { query }))) if (name === text) named.push(id)
  return onlyOne(named, 'suite', text, 'The page Suites lists them.')
}

/** @throws UsageError */
function onlyOne(ids: readonly string[], noun: string, text: string, list: string): string {
  const [only, ...others] = new Set(ids)
  if (only === undefined) throw new UsageError(`No ${noun} has the id or name "${text}". ${list}`)
  if (others.length > 0)
    throw new UsageError(`${others.length + 1} ${noun}s are called "${text}". Use an id: ${[only, ...others].join(', ')}.`)
  return only
}

export function executionOf({ execution, evaluators }: RunConfig): QuoteRequest['execution'] {
  return { ...execution, evaluators }
}

/** The stated name of a run, or the model and what it ran on. */
export function nameOf({
  name,
  model,
  benchmarks,
  suite,
  coverage,
}: Pick<RunConfig, 'name' | 'model' | 'benchmarks' | 'suite' | 'coverage'>): string {
  if (name !== undefined) return name
  const [first = '', ...others] = (benchmarks ?? [`suite ${suite ?? ''}`]).map(benchmark => benchmark.split('@')[0] ?? benchmark)
  const sample = coverage === 'full' ? '' : `, ${coverage.sample} tasks`
  return `${isModelFile(model) ? basename(model) : model} on ${first}${others.length > 0 ? ` and ${others.length} more` : ''}${sample}`.slice(
    0,
    200,
  )
}

/** Whole micro-USD of an amount in dollars, by its digits: floating point would round. */
export function microUsdOf(usd: number | string): string {
  const [whole = '0', decimals = ''] = (typeof usd === 'number' ? usd.toFixed(6) : usd).split('.')
  return BigInt(whole + decimals.padEnd(6, '0').slice(0, 6)).toString()
}

interface FoundModel {
  readonly model: QuoteRequest['model']
  readonly capabilities: readonly string[]
}

/** The connection with an id or a name. @throws UsageError where none or more than one has it */
export async function connectionOf(client: ServiceClient, text: string) {
  const found = []
  for await (const connection of allPages(query => client.call('listConnections', { query })))
    if (connection.id === text || connection.name === text) found.push(connection)
  const [only, ...others] = found
  if (only === undefined) throw new UsageError(`No connection has the id or name "${text}". "assay connections" lists them.`)
  if (others.length > 0)
    throw new UsageError(`${found.length} connections are called "${text}". Use an id: ${found.map(({ id }) => id).join(', ')}.`)
  return only
}

export async function modelOf(client: ServiceClient, name: string): Promise<QuoteRequest['model']> {
  return (await findModel(client, name)).model
}

async function findModel(client: ServiceClient, given: string): Promise<FoundModel> {
  const name = isModelFile(given) ? await routeOfFile(client, given) : given
  for await (const { route_id: id, capabilities } of allPages(query => client.call('listModels', { query: { ...query, q: name } })))
    if (id === name) return { model: { kind: 'managed', route_id: name }, capabilities }
  const found = []
  for await (const connection of allPages(query => client.call('listConnections', { query })))
    if (connection.status !== 'disabled' && (connection.id === name || connection.name === name)) found.push(connection)
  const [only, ...others] = found
  if (only === undefined)
    throw new UsageError(`No model route and no connection is called "${name}". "assay models" and "assay connections" list them.`)
  if (others.length > 0)
    throw new UsageError(`${found.length} connections are called "${name}". Use an id: ${found.map(({ id }) => id).join(', ')}.`)
  return { model: { kind: 'connection', connection_id: only.id }, capabilities: only.capabilities }
}

/** Without a profile's name, the first that the model can run, or the first for the quote to say what the model lacks. */
async function profileIdOf(client: ServiceClient, name: string, capabilities: readonly string[]): Promise<string> {
  const [head = '', key] = name.split(':')
  const [slug = ''] = head.split('@')
  if (head !== slug && key !== undefined) return name
  const { profiles, title } = await benchmarkOf(client, slug)
  const named = key === undefined ? profiles : profiles.filter(({ id }) => id.endsWith(`:${key}`))
  const ready = named.filter(({ quote_availability: { status } }) => status === 'ready_for_quote')
  const chosen = ready.find(({ requires }) => requires.every(need => capabilities.includes(need))) ?? ready[0]
  if (chosen) return chosen.id
  const [first] = named
  if (first === undefined)
    throw new UsageError(`${title} has no profile "${key ?? ''}". It has ${profiles.map(({ id }) => id).join(', ')}.`)
  throw new UsageError(`${first.id} cannot run: ${first.quote_availability.reasons.join(' ')}`)
}

async function benchmarkOf(client: ServiceClient, slug: string): Promise<Response<Api['getBenchmark']>> {
  try {
    return await client.call('getBenchmark', { params: { slug } })
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
    throw new UsageError(`There is no benchmark "${slug}". "assay benchmarks" lists them.`)
  }
}

/**
 * SHA-256 over the canonical JSON of what a quote freezes: model, profiles with prompts and metrics, tasks, settings and spending limit. Id,
 * times and estimates are not in it, so the same `assay.yaml` on the same data gives the same digest.
 */
export function quoteDigest({ model, profiles, coverage, execution, cost }: Quote): string {
  const frozen = { model, profiles, coverage, execution, max_charge_microusd: cost.max_charge_microusd }
  return createHash('sha256').update(canonicalJson(frozen)).digest('hex')
}
