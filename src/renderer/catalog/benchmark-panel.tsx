import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { SidePanel } from '../ui/page/split-view.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useBenchmark } from './catalog.queries.ts'
import { BenchmarkFacts } from './benchmark-facts.tsx'
import { benchmarkAddress } from './catalog-links.ts'
import { Profiles } from './profiles.tsx'

/** A benchmark beside the list: enough to decide whether to open or quote it. */
export function BenchmarkPanel({ slug, onClose }: { readonly slug: string; readonly onClose: () => void }) {
  const benchmark = useBenchmark(slug)
  return (
    <SidePanel
      label="Benchmark"
      title={<UntrustedText text={benchmark.data?.title ?? slug} layout="prose" />}
      onClose={onClose}
      actions={
        <Button component={Link} to={benchmarkAddress(slug)} variant="default" size="xs">
          Open page
        </Button>
      }
    >
      <QueryView query={benchmark} failure="Couldn’t load the benchmark" loading={<LinesSkeleton lines={8} />}>
        {detail => (
          <>
            <UntrustedText text={detail.summary} layout="prose" />
            <Section title="Profiles">
              <Profiles benchmark={detail} />
            </Section>
            <Section title="Facts">
              <BenchmarkFacts benchmark={detail} />
            </Section>
          </>
        )}
      </QueryView>
    </SidePanel>
  )
}
