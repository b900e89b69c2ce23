import './results.css'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Results, Run } from '../../contract/index.ts'
import { Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { Billing } from './billing.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { Distributions } from './distributions.tsx'
import { Errors } from './errors.tsx'
import { Headline } from './headline.tsx'
import { MetricsTable } from './metrics-table.tsx'
import { Notices } from './notices.tsx'
import { Outcomes } from './outcomes.tsx'
import { Reproducibility } from './reproducibility.tsx'
import { resultsQuery } from './results.queries.ts'
import { Usage } from './usage.tsx'

/** The results of a run, the latest version unless the address names another. */
export function ResultsView({ run, latestVersion }: { readonly run: Run; readonly latestVersion: number }) {
  const { get, set } = useAddress()
  const version = versionOf(get('version'), latestVersion)
  const query = useQuery(resultsQuery(run.id, version))
  return (
    <>
      {latestVersion > 1 ? (
        <Select
          label="Result version"
          w={200}
          allowDeselect={false}
          value={String(version)}
          onChange={chosen => set({ version: chosen === String(latestVersion) ? null : chosen })}
          data={Array.from({ length: latestVersion }, (_, index) => {
            const number = latestVersion - index
            return { value: String(number), label: `${number}${index === 0 ? ' (latest)' : ''}` }
          })}
        />
      ) : null}
      <QueryView query={query} failure="The results could not be read">
        {results => <AllResults results={results} />}
      </QueryView>
    </>
  )
}

function AllResults({ results }: { readonly results: Results }) {
  return (
    <>
      <Notices notices={results.notices} />
      <Headline results={results} />
      <Section title="All metrics">
        <MetricsTable results={results} />
      </Section>
      <div className="results-pair">
        <Section title="Outcomes">
          <Outcomes results={results} />
        </Section>
        <Section title="Errors">
          <Errors results={results} />
        </Section>
      </div>
      <Breakdowns results={results} />
      <Distributions results={results} />
      <div className="results-pair">
        <Section title="Billing">
          <Billing results={results} />
        </Section>
        <Section title="Usage">
          <Usage usage={results.usage} />
        </Section>
      </div>
      <Section title="Reproducibility">
        <Reproducibility results={results} />
      </Section>
    </>
  )
}

/** A version number from an address, which can be written by hand. */
function versionOf(text: string, latest: number): number {
  const version = Number(text)
  return Number.isInteger(version) && version >= 1 && version <= latest ? version : latest
}
