import './releases.css'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseSuiteSummary } from '../../contract/releases/suites.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { usePolicies, useReleaseSuites } from './releases.queries.ts'
import { ReleasesTabs } from './releases-tabs.tsx'
import { describeRule, describeTerms, percent } from './releases-words.ts'

const suiteColumns: readonly Column<ReleaseSuiteSummary>[] = [
  {
    id: 'name',
    title: 'Suite',
    width: 200,
    rowHeader: true,
    cell: ({ name, version }) => <UntrustedText text={`${name}, version ${version}`} layout="prose" />,
  },
  { id: 'groups', title: 'Groups', width: 360, grow: true, cell: suite => <Groups suite={suite} /> },
  { id: 'tasks', title: 'Tasks', width: 80, align: 'end', cell: ({ tasks }) => formatCount(tasks) },
  { id: 'digest', title: 'Digest', width: 150, cell: ({ digest }) => <Identifier value={digest} what="suite digest" shown={12} /> },
  { id: 'made', title: 'Created', width: 112, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

const policyColumns: readonly Column<ReleasePolicy>[] = [
  {
    id: 'name',
    title: 'Policy',
    width: 200,
    rowHeader: true,
    cell: ({ name, version }) => <UntrustedText text={`${name}, version ${version}`} layout="prose" />,
  },
  { id: 'rules', title: 'Rules and terms', width: 440, grow: true, cell: policy => <Rules policy={policy} /> },
  { id: 'digest', title: 'Digest', width: 150, cell: ({ digest }) => <Identifier value={digest} what="policy digest" shown={12} /> },
  { id: 'made', title: 'Created', width: 112, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

/** What decisions rest on: every version of every release suite and policy. */
export function AssetsPage() {
  return (
    <Page>
      <PageHeader
        title="Suites and policies"
        description="Versions never change. A decision rests on one of each."
        actions={
          <>
            <RequestMenu operation="listReleaseAssets" request={{ query: { kind: 'suite' } }} />
            <Button component={Link} to="/releases/new">
              New decision
            </Button>
          </>
        }
      />
      <ReleasesTabs />
      <Section title="Release suites">
        <QueryView query={useReleaseSuites()} failure="Couldn’t load the suites">
          {suites =>
            suites.length === 0 ? (
              <EmptyState title="No release suites yet">A new decision makes one from a benchmark.</EmptyState>
            ) : (
              <PlainTable label="Release suites" columns={suiteColumns} rows={suites} rowId={({ id }) => id} />
            )
          }
        </QueryView>
      </Section>
      <Section title="Policies">
        <QueryView query={usePolicies()} failure="Couldn’t load the policies">
          {policies =>
            policies.length === 0 ? (
              <EmptyState title="No policies yet">A new decision writes one: what a release must show, and who decides.</EmptyState>
            ) : (
              <PlainTable label="Policies" columns={policyColumns} rows={policies} rowId={({ id }) => id} />
            )
          }
        </QueryView>
      </Section>
    </Page>
  )
}

/** Each group with its share of the weighted mean. */
function Groups({ suite: { groups } }: { readonly suite: ReleaseSuiteSummary }) {
  const all = groups.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <ul className="releases-sentences">
      {groups.map(({ key, title, weight, critical, tasks }) => (
        <li key={key}>
          <UntrustedText text={title} layout="prose" />
          <span className="quiet num">
            {`: ${formatCount(tasks)} ${tasks === 1 ? 'task' : 'tasks'}, weight ${percent(Number((weight / all).toFixed(4)))}${critical ? ', critical' : ''}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Rules({ policy }: { readonly policy: ReleasePolicy }) {
  const sentences = [...policy.rules.map(rule => describeRule(rule, policy.confidence)), ...describeTerms(policy)]
  return (
    <ul className="releases-sentences">
      {sentences.map(sentence => (
        <li key={sentence}>
          <UntrustedText text={sentence} layout="prose" />
        </li>
      ))}
      {policy.cautions.map(caution => (
        <li key={caution} className="quiet">
          <UntrustedText text={caution} layout="prose" />
        </li>
      ))}
    </ul>
  )
}
