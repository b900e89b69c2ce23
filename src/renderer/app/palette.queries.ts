import { useQuery } from '@tanstack/react-query'
import { IconBooks, IconCpu, IconDatabase, IconPlayerPlay, IconTag } from '@tabler/icons-react'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { useBenchmarks } from '../catalog/catalog.queries.ts'
import { toModels } from '../connections/models.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import type { PaletteEntry } from './find-commands.ts'

/** Things of each kind that are listed; more of them are a list's work. */
const MOST = 5
/** Below this nearly everything matches. */
const SHORTEST = 2
const STALE_MS = 15_000

/** Runs, tags of runs, benchmarks, models and datasets whose names hold every word of the query. */
export function useNamedThings(typed: string): readonly PaletteEntry[] {
  const q = typed.trim()
  const enabled = q.length >= SHORTEST
  const runs = useQuery({
    queryKey: ['runs', 'palette', q],
    queryFn: ({ signal }) => call('listRuns', { query: { q, limit: MOST, archived: 'any' } }, { signal }),
    enabled,
    staleTime: STALE_MS,
  })
  const datasets = useQuery({
    queryKey: ['datasets', 'palette', q],
    queryFn: ({ signal }) => call('listDatasets', { query: { q, limit: MOST } }, { signal }),
    enabled,
    staleTime: STALE_MS,
  })
  const tags = useQuery({
    queryKey: ['annotations', 'palette', q],
    queryFn: ({ signal }) => call('listTags', { query: { q: q.slice(0, 50), limit: MOST } }, { signal }),
    enabled,
    staleTime: STALE_MS,
  })
  const benchmarks = useBenchmarks('').data ?? []
  const models = toModels(useModelRoutes().data ?? [], useConnections().data ?? [])
  if (!enabled) return []
  const named = <Thing>(things: readonly Thing[], textOf: (thing: Thing) => string): readonly Thing[] =>
    things.filter(thing => holdsEvery(textOf(thing), q)).slice(0, MOST)
  return [
    ...(runs.data?.items ?? []).map(({ id, name }) => ({
      to: `/runs/${id}`,
      label: name,
      description: 'Run',
      icon: IconPlayerPlay,
      keywords: '',
    })),
    ...(tags.data?.items ?? [])
      .filter(({ runs: tagged }) => tagged > 0)
      .map(({ tag, runs: tagged }) => ({
        to: `/runs?${new URLSearchParams({ tag, archived: 'any' }).toString()}`,
        label: tag,
        description: `Tag on ${tagged === 1 ? '1 run' : `${formatCount(tagged)} runs`}`,
        icon: IconTag,
        keywords: '',
      })),
    ...named(benchmarks, ({ slug, title }) => `${slug} ${title}`).map(({ slug, title }) => ({
      to: `/catalog/${slug}`,
      label: title,
      description: 'Benchmark',
      icon: IconBooks,
      keywords: slug,
    })),
    ...named(models, ({ title, model }) => `${title} ${model}`).map(({ key, title, model }) => ({
      to: `/models?open=${encodeURIComponent(key)}`,
      label: title,
      description: 'Model',
      icon: IconCpu,
      keywords: model,
    })),
    ...(datasets.data?.items ?? []).map(({ id, name }) => ({
      to: `/datasets/${id}`,
      label: name,
      description: 'Dataset',
      icon: IconDatabase,
      keywords: '',
    })),
  ]
}

function holdsEvery(text: string, query: string): boolean {
  const held = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every(word => held.includes(word))
}
