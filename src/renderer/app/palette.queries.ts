import { useQueries, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { toModels } from '../connections/models.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import {
  type Icon,
  IconAdjustments,
  IconBooks,
  IconCpu,
  IconDatabase,
  IconGavel,
  IconListCheck,
  IconPlayerPlay,
  IconRocket,
  IconScale,
  IconTag,
} from '../ui/pictures/icons.tsx'
import type { PaletteEntry } from './find-commands.ts'

/** Things of each kind that are listed; more of them are a list's work. */
const MOST = 5
/** Below this nearly everything matches. */
const SHORTEST = 2
const STALE_MS = 15_000
const TYPING_PAUSE_MS = 120

type Thing = Pick<PaletteEntry, 'to' | 'label' | 'keywords'>

interface Searchable {
  readonly kind: string
  readonly icon: Icon
  readonly read: (q: string, signal: AbortSignal) => Promise<readonly Thing[]>
}

/** What the service searches by name. */
const searchable: readonly Searchable[] = [
  {
    kind: 'Benchmark',
    icon: IconBooks,
    read: async (q, signal) =>
      (await call('listBenchmarks', { query: { q, limit: MOST } }, { signal })).items.map(({ slug, title }) => ({
        to: `/catalog/${slug}`,
        label: title,
        keywords: slug,
      })),
  },
  {
    kind: 'Comparison',
    icon: IconScale,
    read: async (q, signal) => named((await call('listComparisons', { query: { q, limit: MOST } }, { signal })).items, '/compare'),
  },
  {
    kind: 'Suite',
    icon: IconListCheck,
    read: async (q, signal) => named((await call('listSuites', { query: { q, limit: MOST } }, { signal })).items, '/suites'),
  },
  {
    kind: 'Dataset',
    icon: IconDatabase,
    read: async (q, signal) => named((await call('listDatasets', { query: { q, limit: MOST } }, { signal })).items, '/datasets'),
  },
  {
    kind: 'Evaluator',
    icon: IconGavel,
    read: async (q, signal) => named((await call('listEvaluators', { query: { q, limit: MOST } }, { signal })).items, '/evaluators'),
  },
  {
    kind: 'Release decision',
    icon: IconRocket,
    read: async (q, signal) => named((await call('listReleaseDecisions', { query: { q, limit: MOST } }, { signal })).items, '/releases'),
  },
  {
    kind: 'Tuning session',
    icon: IconAdjustments,
    read: async (q, signal) => named((await call('listTuneSessions', { query: { q, limit: MOST } }, { signal })).items, '/tuning'),
  },
]

function named(items: readonly { readonly id: string; readonly name: string }[], under: string): readonly Thing[] {
  return items.map(({ id, name }) => ({ to: `${under}/${id}`, label: name, keywords: '' }))
}

/** Runs, tags of runs, models, and what the service searches by name, with every word of the query. */
export function useNamedThings(typed: string): readonly PaletteEntry[] {
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS)
  const enabled = q.length >= SHORTEST
  const runs = useQuery({
    queryKey: ['runs', 'palette', q],
    queryFn: ({ signal }) => call('listRuns', { query: { q, limit: MOST, archived: 'any' } }, { signal }),
    enabled,
    staleTime: STALE_MS,
  })
  const tags = useQuery({
    queryKey: ['annotations', 'palette', q],
    queryFn: ({ signal }) => call('listTags', { query: { of: 'runs', q: q.slice(0, 50), limit: MOST } }, { signal }),
    enabled,
    staleTime: STALE_MS,
  })
  const models = toModels(useModelRoutes().data ?? [], useConnections().data ?? [])
  const found = useQueries({
    queries: searchable.map(({ kind, read }) => ({
      queryKey: ['palette', kind, q],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(q, signal),
      enabled,
      staleTime: STALE_MS,
    })),
  })
  if (!enabled) return []
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
    ...found.flatMap((query, i) =>
      (query.data ?? []).map(thing => ({ ...thing, description: searchable[i]?.kind ?? '', icon: searchable[i]?.icon ?? null })),
    ),
    ...models
      .filter(({ title, model }) => holdsEvery(`${title} ${model}`, q))
      .slice(0, MOST)
      .map(({ key, title, model }) => ({
        to: `/models?open=${encodeURIComponent(key)}`,
        label: title,
        description: 'Model',
        icon: IconCpu,
        keywords: model,
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
