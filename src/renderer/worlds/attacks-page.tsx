import { Button, Select } from '@mantine/core'
import { Link } from 'react-router'
import { attackedSuffix } from '../../contract/worlds/attacks.schemas.ts'
import { useEnvironments } from '../catalog/environments.queries.ts'
import { RunPicker } from '../comparisons/run-picker.tsx'
import { type Selection, useSelection } from '../comparisons/use-selection.ts'
import '../comparisons/compare.css'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { AttackTable } from './attack-table.tsx'
import { useAttackMatrices } from './attacks.queries.ts'

/** Attacks by model: each attack beside the same tasks without it. */
export function AttacksPage() {
  const selection = useSelection()
  return (
    <Page>
      <PageHeader
        title="Attacks"
        parent={{ title: 'Environments', to: '/catalog/environments' }}
        description="Choose runs of an attacked environment. A check decides whether the attacker reached its goal, not the tone."
      />
      <Section title="Matrix">
        <Matrix runIds={selection.ids} />
      </Section>
      <Section title="Runs">
        <AttackedRuns selection={selection} />
      </Section>
    </Page>
  )
}

/** Runs of one attacked environment: of others there is nothing to show. */
function AttackedRuns({ selection }: { readonly selection: Selection }) {
  const { get, set } = useAddress()
  const query = useEnvironments()
  if (query.isError) return <ErrorState error={query.error} title="Couldn’t load the environments" onRetry={() => void query.refetch()} />
  if (!query.data) return <LinesSkeleton lines={6} />
  const attacked = query.data.filter(({ family }) => family.endsWith(attackedSuffix))
  const chosen = attacked.find(({ family }) => family === get('environment')) ?? attacked[0]
  if (!chosen)
    return (
      <EmptyState
        title="No attacked environment yet"
        action={
          <Button variant="default" component={Link} to="/catalog/environments">
            Environments
          </Button>
        }
      >
        Open an environment or a dataset and choose Attack.
      </EmptyState>
    )
  return (
    <>
      <Select
        label="Attacked environment"
        maw={480}
        mb="sm"
        searchable={attacked.length > 10}
        data={attacked.map(({ family, title }) => ({ value: family, label: title }))}
        value={chosen.family}
        onChange={family => set({ environment: family, runs: null })}
      />
      <RunPicker selection={selection} benchmark={chosen.family} />
    </>
  )
}

function Matrix({ runIds }: { readonly runIds: readonly string[] }) {
  const { data, error, isPending, retry } = useAttackMatrices(runIds)
  if (runIds.length === 0) return <EmptyState title="No runs chosen">Choose one below, or several to compare models.</EmptyState>
  if (error) return <ErrorState error={error} title="Couldn’t load the attacks" onRetry={retry} />
  if (isPending) return <LinesSkeleton lines={6} />
  if (data.every(({ rows }) => rows.length === 0)) return <EmptyState title="These runs have no attacked tasks" />
  return <AttackTable matrices={data} />
}
