import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { BenchmarkDescription } from './benchmark-description.tsx'
import { BenchmarkFacts } from './benchmark-facts.tsx'
import { BenchmarkMetrics } from './benchmark-metrics.tsx'
import { BenchmarkTasks } from './benchmark-tasks.tsx'
import { BenchmarkVersions } from './benchmark-versions.tsx'
import { useBenchmark } from './catalog.queries.ts'
import { importAddress, quoteAddress } from './catalog-links.ts'
import { olderProfiles, versionedTitle } from './older-profiles.tsx'
import { Profiles } from './profiles.tsx'
import { PromptExamples } from './prompt-examples.tsx'

const parent = { title: 'Catalog', to: '/catalog' }

export function BenchmarkPage() {
  const { slug = '' } = useParams()
  const benchmark = useBenchmark(slug)
  return (
    <Page>
      <PageHeader
        title={benchmark.data?.title ?? slug}
        parent={parent}
        description={benchmark.data ? <UntrustedText text={benchmark.data.summary} layout="prose" /> : null}
        aside={benchmark.data ? <StatusBadge status={availabilities[benchmark.data.quote_availability.status]} /> : null}
        actions={
          <>
            <RequestMenu operation="getBenchmark" request={{ params: { slug } }} />
            {benchmark.data ? <MainAction benchmark={benchmark.data} /> : null}
          </>
        }
      />
      <QueryView query={benchmark} failure="Couldn’t load the benchmark" loading={<LinesSkeleton lines={14} />}>
        {detail => <BenchmarkSections benchmark={detail} />}
      </QueryView>
    </Page>
  )
}

function MainAction({ benchmark }: { readonly benchmark: BenchmarkDetail }) {
  const older = olderProfiles([benchmark])
  const ready = benchmark.profiles.find(({ id, quote_availability: { status } }) => status === 'ready_for_quote' && !older.has(id))
  if (ready) {
    return (
      <Button component={Link} to={quoteAddress({ profile: ready.id })}>
        Quote
      </Button>
    )
  }
  return benchmark.recipe ? (
    <Button component={Link} to={importAddress(benchmark.recipe.id)}>
      Import data
    </Button>
  ) : null
}

export function BenchmarkSections({ benchmark }: { readonly benchmark: BenchmarkDetail }) {
  const older = olderProfiles([benchmark])
  const [withOlder, setWithOlder] = useState(false)
  const shown = benchmark.profiles
    .filter(({ id }) => withOlder || !older.has(id))
    .map(profile => ({ ...profile, title: versionedTitle(profile.title, older.get(profile.id)) }))
  return (
    <>
      <Section title="Profiles">
        <Profiles benchmark={benchmark} older={[withOlder, setWithOlder]} />
      </Section>
      <BenchmarkDescription benchmark={benchmark} />
      <BenchmarkMetrics profiles={shown} />
      <PromptExamples profiles={shown} />
      {benchmark.latest_version ? <BenchmarkTasks sourceRef={benchmark.latest_version.source_ref} /> : null}
      <BenchmarkVersions versions={benchmark.versions} />
      <Section title="License and citation">
        <BenchmarkFacts benchmark={benchmark} />
        {benchmark.citation ? (
          <div className="row" style={{ alignItems: 'flex-start' }}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <UntrustedText text={benchmark.citation} />
            </div>
            <CopyButton value={benchmark.citation} what="citation" />
          </div>
        ) : null}
      </Section>
    </>
  )
}
