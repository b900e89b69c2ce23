import './results.css'
import { Anchor, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Results } from '../../contract/runs/results.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { SampleStrip } from '../strip/sample-strip.tsx'
import { useOutcomes } from '../strip/strip.queries.ts'
import { useAddress } from '../ui/table/use-address.ts'
import { Attempts } from './attempts.tsx'
import { Billing } from './billing.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { Distributions } from './distributions.tsx'
import { Errors } from './errors.tsx'
import { Folded } from './folded.tsx'
import { Headline } from './headline.tsx'
import { MetricsTable } from './metrics-table.tsx'
import { Notices } from './notices.tsx'
import { Outcomes } from './outcomes.tsx'
import { chosenVersion, versionName } from './result-versions.ts'
import { Reproducibility } from './reproducibility.tsx'
import { resultsQuery } from './results.queries.ts'
import { Usage } from './usage.tsx'
import { AttackTable } from '../worlds/attack-table.tsx'
import { useAttackMatrices } from '../worlds/attacks.queries.ts'
import { useSampleGroups, WhyWrong } from './why-wrong.tsx'

/** The results of a run, the latest version unless the address names another. */
export function ResultsView({ run, latestVersion }: { readonly run: Run; readonly latestVersion: number }) {
  const { get, set } = useAddress()
  const version = chosenVersion(get('version'), latestVersion)
  const query = useQuery(resultsQuery(run.id, version))
  // Asked for beside the results and not after them.
  useOutcomes(run)
  useSampleGroups(run)
  return (
    <>
      {latestVersion > 1 ? (
        <Select
          label="Result version"
          w={280}
          value={String(version)}
          onChange={chosen => set({ version: chosen === String(latestVersion) ? null : chosen })}
          data={Array.from({ length: latestVersion }, (_, index) => {
            const number = latestVersion - index
            return { value: String(number), label: `${versionName(run, number)}${index === 0 ? ' (latest)' : ''}` }
          })}
        />
      ) : null}
      <QueryView query={query} failure="Couldn’t load the results">
        {results => <AllResults run={run} results={results} latest={version === latestVersion} />}
      </QueryView>
    </>
  )
}

/** The groups of wrong samples and the strip below them come together: neither moves the other once it is there. */
function WhyAndWhere({ run, results }: { readonly run: Run; readonly results: Results }) {
  const { data, isPending } = useSampleGroups(run)
  if (isPending) return <LinesSkeleton />
  return (
    <>
      <WhyWrong run={run} metrics={results.metrics} groups={data} />
      <SampleStrip run={run} />
    </>
  )
}

function Attacks({ runId }: { readonly runId: string }) {
  const { data, error, isPending, retry } = useAttackMatrices([runId])
  return (
    <Section
      title="Attacks"
      aside={
        <Anchor component={Link} to={`/attacks?runs=${runId}`} fz="inherit">
          Beside other models
        </Anchor>
      }
    >
      {error ? <ErrorState error={error} title="Couldn’t load the attacks" onRetry={retry} /> : null}
      {isPending ? <LinesSkeleton lines={4} /> : <AttackTable matrices={data} />}
    </Section>
  )
}

function AllResults({ run, results, latest }: { readonly run: Run; readonly results: Results; readonly latest: boolean }) {
  const one = results.metrics.length === 1
  const codes = useOutcomes(run)
  return (
    <>
      <Headline results={results} />
      {latest ? <WhyAndWhere run={run} results={results} /> : null}
      <Notices notices={results.notices} />
      <Attempts results={results} />
      <Breakdowns results={results} latest={latest} />
      {latest && results.metrics.some(({ scorer }) => scorer === 'assay/attack_resisted') ? <Attacks runId={run.id} /> : null}
      {one ? null : (
        <Section title="All metrics">
          <MetricsTable results={results} />
        </Section>
      )}
      {results.errors.length > 0 ? (
        <Section title="Errors">
          <Errors results={results} />
        </Section>
      ) : null}
      {one ? (
        <Folded title="All metrics">
          <MetricsTable results={results} />
        </Folded>
      ) : null}
      <Folded title="Outcomes">
        <Outcomes results={results} codes={latest ? codes : undefined} />
      </Folded>
      <Folded title="Latency and length">
        <Distributions results={results} latest={latest} />
      </Folded>
      <Folded title="Cost and usage">
        <div className="results-pair">
          <Section title="Billing">
            <Billing results={results} />
          </Section>
          <Section title="Usage">
            <Usage usage={results.usage} />
          </Section>
        </div>
      </Folded>
      <Folded title="Reproducibility">
        <Reproducibility results={results} />
      </Folded>
    </>
  )
}
