import { createHash } from 'node:crypto'
import type { Environment, EnvironmentDetail } from '../../contract/catalog/environments.schemas.ts'
import { ApiError, requireFound } from '../../contract/errors.ts'
import type { ToolDefinition } from '../../engine/clients/model-client.ts'
import { findFamily, playableFamily } from '../../engine/execution/environments/families/families.ts'
import type { Database } from '../../storage/database.ts'
import type { MissingSandbox } from './availability.ts'
import { fullProfile, type StoredBenchmark, visibleBenchmarks } from './benchmarks.store.ts'
import { describeBenchmark } from './describe-benchmark.ts'
import type { PageQuery } from '../../storage/keyset.ts'

/** Whether it belongs in the list of benchmarks rather than in that of environments. */
export function isQuestionBenchmark({ versions }: StoredBenchmark): boolean {
  return !versions.some(version => version.profiles.some(({ definition }) => definition.environment))
}

/** Slugs of the environments that the workspace can see. */
export function environmentSlugs(db: Database, workspaceId: string): string[] {
  return visibleBenchmarks(db, workspaceId)
    .filter(benchmark => !isQuestionBenchmark(benchmark))
    .map(({ definition }) => definition.slug)
}

/** Bundled families and the workspace's own environments, by id. */
export function listEnvironments(db: Database, workspaceId: string, noSandbox: MissingSandbox, { cursor, limit }: PageQuery) {
  const after = cursor?.toLowerCase() ?? ''
  const all = visibleBenchmarks(db, workspaceId)
    .flatMap(benchmark => describe(benchmark, { db, workspaceId, noSandbox, isWhole: false }) ?? [])
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  if (after !== '' && !all.some(({ id }) => id === after))
    throw new ApiError('invalid_cursor', `The cursor "${after}" was not issued here. Start again without one.`)
  const rest = all.filter(({ id }) => id > after)
  const items = rest.slice(0, limit)
  return { items: items.map(toListed), next_cursor: rest.length > limit ? (items.at(-1)?.id ?? null) : null }
}

export function readEnvironment(db: Database, workspaceId: string, noSandbox: MissingSandbox, slug: string): EnvironmentDetail {
  const [found] = visibleBenchmarks(db, workspaceId, slug).flatMap(
    benchmark => describe(benchmark, { db, workspaceId, noSandbox, isWhole: true }) ?? [],
  )
  return requireFound(found, 'environment', slug)
}

interface Describing {
  readonly db: Database
  readonly workspaceId: string
  readonly noSandbox: MissingSandbox
  /** With what its tools take. */
  readonly isWhole: boolean
}

/** Null where the benchmark is not an environment, or one that this version does not have. */
function describe(benchmark: StoredBenchmark, { db, workspaceId, noSandbox, isWhole }: Describing): EnvironmentDetail | null {
  if (isQuestionBenchmark(benchmark)) return null
  const [version] = benchmark.versions
  const [profile] = version?.profiles ?? []
  const { environment } = profile?.definition ?? {}
  const setting = version && profile && isWhole && environment?.world ? fullProfile(db, version, profile.id).environment : environment
  const family = setting && playableFamily(setting)
  if (!family) return null
  const { slug, title, summary, status, runner, capabilities, license, latest_version, ...detail } = describeBenchmark(
    benchmark,
    null,
    noSandbox,
  )
  if (!latest_version) return null
  return {
    id: findFamily(slug)?.id ?? ownId(workspaceId, slug),
    family: slug,
    title,
    summary,
    status,
    runner,
    capabilities,
    license,
    tool_names: family.tools.map(({ name }) => name),
    max_turns: family.maxTurns,
    latest_version,
    quote_availability: detail.quote_availability,
    profile_ids: detail.profile_ids,
    description: detail.description,
    how_made: detail.how_made,
    known_limits: detail.known_limits,
    tools: family.tools.map(describeTool),
    versions: detail.versions,
    profiles: detail.profiles,
  }
}

/** Of an environment that a workspace made: always the same, and after those of the bundled ones, since it begins with "f". */
function ownId(workspaceId: string, slug: string): string {
  const hex = createHash('sha256').update(`${workspaceId}/${slug}`).digest('hex')
  return `f${hex.slice(1, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function describeTool({ name, description, parameters, schema }: ToolDefinition): EnvironmentDetail['tools'][number] {
  if (schema) return { name, description, parameters: parametersOf(schema), schema }
  return {
    name,
    description,
    parameters: parameters.map(({ values, ...parameter }) => ({ ...parameter, values: values ? [...values] : null })),
    schema: null,
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The named arguments of a JSON Schema, as far as a list can show them. */
function parametersOf(schema: Readonly<Record<string, unknown>>): EnvironmentDetail['tools'][number]['parameters'] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).map(([name, property]) => {
    const { type, description, enum: values } = isObject(property) ? property : {}
    return {
      name,
      type: typeof type === 'string' ? type : 'any',
      description: typeof description === 'string' ? description : '',
      values: Array.isArray(values) ? values.map(value => (typeof value === 'string' ? value : JSON.stringify(value))) : null,
    }
  })
}

function toListed(detail: EnvironmentDetail): Environment {
  const { description: _d, how_made: _h, known_limits: _k, tools: _t, versions: _v, profiles: _p, ...listed } = detail
  return listed
}
