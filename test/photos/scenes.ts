import type { Page } from '@playwright/test'
import { measuredName } from '../../src/lib/format/benchmark-names.ts'
import { pagePaths } from './page-paths.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import type { TestClient } from '../support/service.ts'
import { runScenes } from './run-scenes.ts'
import { suiteScenes } from './suite-scenes.ts'

/** One page in one state. */
export interface Scene {
  readonly name: string
  readonly path: string
  /** Opens the browser's session without a cookie, for the sign-in page. */
  readonly signedOut?: boolean
  /** Requests whose path matches are refused, for the page's error state. */
  readonly failing?: RegExp
  /** What a person does before the picture is taken. */
  readonly open?: (page: Page) => Promise<void>
}

/** Pages of a new data folder. */
export const emptyScenes: readonly Scene[] = [
  { name: 'sign-in', path: '/', signedOut: true },
  { name: 'home-empty', path: '/' },
  ...pagePaths().map(path => ({ name: `${nameOf(path)}-empty`, path: `/${path}` })),
]

/** Lists, each with what it reads. */
const lists = {
  catalog: /\/v1\/catalog\/benchmarks/,
  models: /\/v1\/(models|connections)/,
  runs: /\/v1\/runs(\?|$)/,
  compare: /\/v1\/comparisons/,
  leaderboard: /\/v1\/leaderboard/,
  suites: /\/v1\/suites/,
  datasets: /\/v1\/datasets/,
  evaluators: /\/v1\/workload-evaluators/,
  releases: /\/v1\/releases/,
  tuning: /\/v1\/tune-sessions/,
  traces: /\/v1\/traces/,
  feedback: /\/v1\/feedback/,
} as const

function nameOf(path: string): string {
  return path.replaceAll('/', '-')
}

export interface FilledService {
  readonly scenes: readonly Scene[]
  /** Waits for nothing: the live run may still be working. */
  readonly liveRunId: string
}

export interface FillOptions {
  readonly client: TestClient
  readonly baseUrl: string
  /** A server that answers slowly, so that a run is seen at work. */
  readonly slowModel: string
  /** An address where nothing listens. */
  readonly deadModel: string
}

/** Runs, a comparison and connections as a workspace has them after a day. */
export async function fillService({ client, baseUrl, slowModel, deadModel }: FillOptions): Promise<FilledService> {
  const arithmetic = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { items: benchmarks } = await client.call('listBenchmarks', { query: { limit: 100 } })
  const other = benchmarks.find(one => one.slug !== 'arithmetic-word-problems' && one.quote_availability.status === 'ready_for_quote')
  const { items: routes } = await client.call('listModels', { query: { limit: 100 } })
  const routeOf = (word: string) => routes.find(({ route_id }) => route_id.includes(word))?.route_id ?? ''

  const managed = async (route: string, profiles: readonly string[], sample?: number) => {
    const {
      id,
      model,
      profiles: frozen,
    } = await quote(client, {
      model: { kind: 'managed', route_id: route },
      profiles,
      coverage: sample === undefined ? { mode: 'full' } : { mode: 'sample', sample_count: sample, seed: 1 },
    })
    const run = await submit(client, id, measuredName({ model, profiles: frozen }))
    return runToEnd(client, baseUrl, run.id)
  }
  const first = await managed(routeOf('oracle'), [arithmetic])
  const second = await managed(routeOf('constant') || routeOf('random'), [arithmetic])
  const both = other ? await managed(routeOf('oracle'), [arithmetic, ...other.profile_ids.slice(0, 1)], 60) : first

  const connect = async (name: string, base_url: string) => {
    const { id } = await client.call('createConnection', { body: { kind: 'openai_compatible', name, base_url, model: 'replay' } })
    await client.call('checkConnection', { params: { connection_id: id } })
    return id
  }
  const slow = await connect('Slow endpoint', slowModel)
  await connect('Stopped endpoint', deadModel)
  const live = await quote(client, {
    model: { kind: 'connection', connection_id: slow },
    profiles: [arithmetic],
    coverage: { mode: 'full' },
  })
  const running = await submit(client, live.id, measuredName(live))
  const { items: samples } = await client.call('listSamples', { params: { run_id: first.id }, query: { limit: 3, passed: 'false' } })
  const { id: comparison } = await client.call('createComparison', {
    body: { name: 'Oracle or constant', run_ids: [first.id, second.id], baseline_id: second.id },
  })

  const scenes: readonly Scene[] = [
    { name: 'home', path: '/' },
    { name: 'quote-new', path: `/quotes/new?profile=${encodeURIComponent(arithmetic)}&route=${encodeURIComponent(routeOf('oracle'))}` },
    { name: 'quote-new-bare', path: '/quotes/new' },
    { name: 'quote', path: `/quotes/${live.id}` },
    { name: 'runs', path: '/runs' },
    { name: 'run-live', path: `/runs/${running.id}` },
    { name: 'run', path: `/runs/${first.id}` },
    { name: 'run-two-profiles', path: `/runs/${both.id}` },
    { name: 'run-failing', path: `/runs/${first.id}`, failing: /\/results/ },
    { name: 'samples', path: `/runs/${first.id}/samples` },
    { name: 'samples-open', path: `/runs/${first.id}/samples?open=${samples[0]?.id ?? ''}` },
    { name: 'sample', path: `/runs/${first.id}/samples/${samples[0]?.id ?? ''}` },
    { name: 'samples-none', path: `/runs/${first.id}/samples?q=nothing-has-this` },
    { name: 'compare-new-chosen', path: `/compare/new?runs=${first.id},${second.id}` },
    { name: 'compare', path: '/compare' },
    { name: 'comparison', path: `/compare/${comparison}` },
    { name: 'matrix', path: `/compare/${comparison}/matrix` },
    { name: 'matrix-open', path: `/compare/${comparison}/matrix?agreement=different&open=3` },
    ...(await runScenes({ client, baseUrl, runId: first.id, sampleId: samples[0]?.id ?? '', comparisonId: comparison })),
    ...(await suiteScenes(client)),
    { name: 'leaderboard', path: '/leaderboard' },
    { name: 'catalog', path: '/catalog' },
    { name: 'benchmark', path: '/catalog/arithmetic-word-problems' },
    { name: 'models', path: '/models' },
    { name: 'connection-new', path: '/models/connections/new' },
    { name: 'connection', path: `/models/connections/${slow}` },
    { name: 'settings', path: '/settings' },
    { name: 'workspace', path: '/workspace' },
    { name: 'wallet', path: '/workspace/wallet' },
    ...Object.entries(lists).map(([page, failing]) => ({ name: `${page}-failing`, path: `/${page}`, failing })),
    { name: 'not-found', path: '/nowhere' },
  ]
  const named = new Set(scenes.map(({ path }) => path))
  const others = pagePaths().filter(path => !named.has(`/${path}`))
  return { scenes: [...scenes, ...others.map(path => ({ name: nameOf(path), path: `/${path}` }))], liveRunId: running.id }
}
