import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFirstBenchmarks } from '../catalog/catalog.queries.ts'
import { quoteAddress } from '../catalog/catalog-links.ts'
import { isRunnable } from '../catalog/facets.ts'
import { kindWords, type Model, toModels } from '../connections/models.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import { useLocalModels } from '../local-models/local-models.queries.ts'
import { emptyForm } from '../quotes/quote-form.ts'
import { RunPlan } from '../quotes/run-plan.tsx'
import { useLiveQuote } from '../quotes/use-live-quote.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'

/** Model, benchmark, run: with what is ready on this machine already chosen, so that one click is enough. */
export function FirstSteps() {
  const routes = useModelRoutes()
  const connections = useConnections()
  const benchmarks = useFirstBenchmarks('')
  // Those that cannot be used are named on their page.
  const files = useLocalModels().data?.items.filter(({ problem }) => problem === null).length ?? 0
  const [chosen, setChosen] = useState<{ model: string | null; profile: string | null }>({ model: null, profile: null })

  const models = toModels(routes.data ?? [], connections.data ?? []).filter(model => model.status.tone === 'pass')
  const ready = (benchmarks.data?.items ?? []).filter(isRunnable)
  const model = models.find(({ key }) => key === chosen.model) ?? preferred(models)
  const benchmark = ready.find(({ slug }) => slug === chosen.profile) ?? ready[0]
  const profile = benchmark?.profile_ids[0]
  const live = useLiveQuote({ ...emptyForm, model: model ? choiceOf(model) : null, profileIds: profile ? [profile] : [] })
  const failed = [routes, connections, benchmarks].find(query => query.isError && query.data === undefined)
  if (failed?.error)
    return <ErrorState error={failed.error} title="Couldn’t load models and benchmarks" onRetry={() => void failed.refetch()} />

  return (
    <ol className="home-steps">
      <li>
        <h2>
          <span aria-hidden>1</span> Pick a model
        </h2>
        <Select
          aria-label="Model"
          placeholder="Looking for models…"
          searchable
          data={groupByKind(models)}
          value={model?.key ?? null}
          onChange={value => setChosen({ ...chosen, model: value })}
        />
        <div className="quiet">
          {model?.kind === 'baseline'
            ? 'A baseline for reference, not a model. It needs no network.'
            : model?.kind === 'local'
              ? 'It runs on this machine and needs no network.'
              : 'It answers from where you registered it.'}
        </div>
        <div className="stack" style={{ alignItems: 'flex-start', marginTop: 'auto' }}>
          {files > 0 ? (
            <Button component={Link} to="/models/local">
              {files === 1 ? '1 model on this machine' : `${files} models on this machine`}
            </Button>
          ) : null}
          <Button component={Link} to="/models/connections/new" variant="default">
            Connect your model
          </Button>
        </div>
      </li>
      <li>
        <h2>
          <span aria-hidden>2</span> Pick a benchmark
        </h2>
        <Select
          aria-label="Benchmark"
          placeholder="Reading the catalog…"
          searchable
          data={ready.map(({ slug, title }) => ({ value: slug, label: title }))}
          value={benchmark?.slug ?? null}
          onChange={value => setChosen({ ...chosen, profile: value })}
        />
        <div className="quiet">{benchmark?.summary}</div>
        <Button component={Link} to="/catalog" variant="default" style={{ alignSelf: 'flex-start', marginTop: 'auto' }}>
          Browse the catalog
        </Button>
      </li>
      <li>
        <h2>
          <span aria-hidden>3</span> Run it
        </h2>
        <div className="home-plan">{model && profile ? <RunPlan live={live} name={null} /> : <LinesSkeleton />}</div>
        {model && profile ? (
          <Button
            component={Link}
            to={quoteAddress({ profile, ...reference(model) })}
            variant="default"
            style={{ alignSelf: 'flex-start', marginTop: 'auto' }}
          >
            Sample size and settings
          </Button>
        ) : null}
      </li>
    </ol>
  )
}

/** A model of the reader's own if one is ready; else the baseline that answers right at a known rate, since its score can be checked. */
function preferred(models: readonly Model[]): Model | undefined {
  return models.find(({ kind }) => kind !== 'baseline') ?? models.find(({ key }) => key.includes('oracle')) ?? models[0]
}

function groupByKind(models: readonly Model[]) {
  const kinds = [...new Set(models.map(({ kind }) => kind))]
  return kinds.map(kind => ({
    group: kindWords[kind],
    items: models.filter(model => model.kind === kind).map(({ key, title }) => ({ value: key, label: title })),
  }))
}

/** As the form of a quote names it. */
function choiceOf({ source }: Model): string {
  return source.type === 'route' ? `managed:${source.route.route_id}` : `connection:${source.connection.id}`
}

function reference({ source }: Model): { route: string } | { connection: string } {
  return source.type === 'route' ? { route: source.route.route_id } : { connection: source.connection.id }
}
