import type { BenchmarkStatus } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Package, PrivateProfile } from '../../contract/creator/packages.schemas.ts'
import { requireFound } from '../../contract/errors.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { Packages } from './packages.service.ts'

interface ProfilesQuery extends PageQuery {
  readonly q?: string | undefined
  readonly status?: BenchmarkStatus | undefined
}

/** The profiles that accepted packages give, newest package first. */
export function listPrivateProfiles(packages: Packages, workspaceId: string, { cursor, limit, q = '', status }: ProfilesQuery) {
  const listing: Listing = { endpoint: 'listPrivateProfiles', filters: { workspaceId, q, status } }
  const after = cursor === undefined ? null : decodeCursor(listing, cursor, 2)
  const words = q.toLowerCase().split(/\s+/)
  const found = packages
    .acceptedPackages(workspaceId)
    .flatMap(of => of.profile_ids.map((id, place) => ({ of, id, place })))
    .filter(({ of, place }) => after === null || of.id < String(after[0]) || (of.id === after[0] && place > Number(after[1])))
    .flatMap(({ of, id, place }) => describe(packages, workspaceId, of, id).map(profile => ({ of, place, profile })))
    .filter(({ profile }) => status === undefined || profile.status === status)
    .filter(({ of, profile }) => {
      const text = [profile.title, profile.summary, profile.benchmark_title, of.namespace, of.name, ...(of.manifest?.capabilities ?? [])]
        .join(' ')
        .toLowerCase()
      return words.every(word => text.includes(word))
    })
  return toPage(
    found.slice(0, limit + 1),
    limit,
    listing,
    ({ of, place }) => [of.id, place],
    ({ profile }) => profile,
  )
}

export function readPrivateProfile(packages: Packages, workspaceId: string, id: string): PrivateProfile {
  const of = packages.acceptedPackages(workspaceId).find(one => one.profile_ids.includes(id))
  const [profile] = of ? describe(packages, workspaceId, of, id) : []
  return requireFound(profile, 'profile', id)
}

function describe(packages: Packages, workspaceId: string, of: Package, id: string): PrivateProfile[] {
  const entry = packages.catalog.profile(workspaceId, id)
  if (!entry?.version) return []
  const { profile, status, version } = entry
  return [
    {
      profile_id: id,
      title: profile.title,
      summary: profile.summary,
      benchmark_title: of.title,
      slug: profile.slug,
      source_ref: version.sourceRef,
      runner: profile.runner,
      split: profile.split,
      task_count: profile.task_count ?? 0,
      metrics: profile.metrics,
      chance_level: profile.chance_level,
      status,
      package: { id: of.id, namespace: of.namespace, name: of.name, version: of.version, status: of.status },
      checks: of.checks,
      quote_availability: profile.quote_availability,
      created_at: of.created_at,
    },
  ]
}
