import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { EnvironmentDetail } from '../../contract/catalog/environments.schemas.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AttackDialog } from '../worlds/attack-dialog.tsx'
import { BenchmarkDescription } from './benchmark-description.tsx'
import { BenchmarkTasks } from './benchmark-tasks.tsx'
import { BenchmarkVersions } from './benchmark-versions.tsx'
import { quoteAddress } from './catalog-links.ts'
import { useEnvironment } from './environments.queries.ts'
import { Profiles } from './profiles.tsx'
import { PromptExamples } from './prompt-examples.tsx'

const parent = { title: 'Environments', to: '/catalog/environments' }

export function EnvironmentPage() {
  const { family = '' } = useParams()
  const environment = useEnvironment(family)
  const [isAttacking, setAttacking] = useState(false)
  const ready = environment.data?.profiles.find(({ quote_availability }) => quote_availability.status === 'ready_for_quote')
  return (
    <Page>
      <PageHeader
        title={environment.data?.title ?? family}
        parent={parent}
        description={environment.data ? <UntrustedText text={environment.data.summary} layout="prose" /> : null}
        aside={environment.data ? <StatusBadge status={availabilities[environment.data.quote_availability.status]} /> : null}
        actions={
          <>
            <RequestMenu operation="getEnvironment" request={{ params: { family } }} />
            {environment.data?.tools.some(({ schema }) => schema !== null) ? (
              <>
                <Button variant="default" onClick={() => setAttacking(true)}>
                  Attack
                </Button>
                <Button component={Link} to={`/environments/${family}/edit`} variant="default">
                  Edit
                </Button>
              </>
            ) : null}
            {ready ? (
              <Button component={Link} to={quoteAddress({ profile: ready.id })}>
                Quote
              </Button>
            ) : null}
          </>
        }
      />
      {isAttacking && environment.data ? (
        <AttackDialog slug={family} tools={environment.data.tools.map(({ name }) => name)} onClose={() => setAttacking(false)} />
      ) : null}
      <QueryView query={environment} failure="Couldn’t load the environment" loading={<LinesSkeleton lines={14} />}>
        {detail => <Sections environment={detail} />}
      </QueryView>
    </Page>
  )
}

type Tool = EnvironmentDetail['tools'][number]

const toolColumns: readonly Column<Tool>[] = [
  { id: 'name', title: 'Tool', width: 150, rowHeader: true, cell: ({ name }) => <code>{name}</code> },
  { id: 'does', title: 'What it does', width: 280, grow: true, cell: ({ description }) => description },
  {
    id: 'takes',
    title: 'Takes',
    width: 320,
    cell: ({ parameters }) =>
      parameters.length === 0
        ? 'nothing'
        : parameters.map(({ name, type, description, values }) => (
            <div key={name}>
              <code>{name}</code> <span className="quiet">({values ? values.join(', ') : type})</span> {description}
            </div>
          )),
  },
]

function Sections({ environment }: { readonly environment: EnvironmentDetail }) {
  return (
    <>
      <Section title="Profiles">
        <Profiles benchmark={{ latest_version: null, profiles: environment.profiles, recipe: null }} />
      </Section>
      <Section title="Tools">
        <PlainTable label="Tools" columns={toolColumns} rows={environment.tools} rowId={({ name }) => name} />
      </Section>
      <BenchmarkDescription benchmark={environment} />
      <PromptExamples profiles={environment.profiles} />
      <BenchmarkTasks sourceRef={environment.latest_version.source_ref} />
      <BenchmarkVersions versions={environment.versions} />
    </>
  )
}
