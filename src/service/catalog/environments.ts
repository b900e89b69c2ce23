import { ApiError, type Environment, type EnvironmentDetail, notFound } from '../../contract/index.ts'
import type { EnvironmentFamily } from '../../engine/execution/environments/environment.ts'
import { environmentFamilies, findFamily } from '../../engine/execution/environments/families/families.ts'
import type { Database } from '../../storage/database.ts'
import { type StoredBenchmark, visibleBenchmarks } from './benchmarks.store.ts'
import { describeBenchmark } from './describe-benchmark.ts'

/** Whether it belongs in the list of benchmarks rather than in that of environments. */
export function isQuestionBenchmark({ versions }: StoredBenchmark): boolean {
  return !versions.some(version => version.profiles.some(({ definition }) => definition.environment))
}

export interface EnvironmentsQuery {
  readonly cursor?: string | undefined
  readonly limit: number
}

export function listEnvironments(db: Database, workspaceId: string, { cursor, limit }: EnvironmentsQuery) {
  const after = cursor?.toLowerCase() ?? ''
  if (after !== '' && !environmentFamilies.some(({ id }) => id === after))
    throw new ApiError('invalid_cursor', `The cursor "${after}" was not issued here. Start again without one.`)
  const all = environmentFamilies
    .flatMap(family => describe(db, workspaceId, family) ?? [])
    .filter(({ id }) => id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const items = all.slice(0, limit)
  return { items: items.map(toListed), next_cursor: all.length > limit ? (items.at(-1)?.id ?? null) : null }
}

export function readEnvironment(db: Database, workspaceId: string, slug: string): EnvironmentDetail {
  const family = findFamily(slug)
  const found = family && describe(db, workspaceId, family)
  if (!found) throw notFound('environment', slug)
  return found
}

/** Null when the family's tasks are not there. */
function describe(db: Database, workspaceId: string, family: EnvironmentFamily): EnvironmentDetail | null {
  const stored = visibleBenchmarks(db, workspaceId, family.definition.slug).find(benchmark => !isQuestionBenchmark(benchmark))
  if (!stored) return null
  const { slug, title, summary, status, runner, capabilities, license, latest_version, ...detail } = describeBenchmark(
    stored,
    null,
    // Nothing of a family's runs model-written code.
    () => null,
  )
  if (!latest_version) return null
  return {
    id: family.id,
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
    tools: family.tools.map(tool => ({
      ...tool,
      parameters: tool.parameters.map(({ values, ...parameter }) => ({ ...parameter, values: values ? [...values] : null })),
    })),
    versions: detail.versions,
    profiles: detail.profiles,
  }
}

function toListed(detail: EnvironmentDetail): Environment {
  const { description: _d, how_made: _h, known_limits: _k, tools: _t, versions: _v, profiles: _p, ...listed } = detail
  return listed
}
