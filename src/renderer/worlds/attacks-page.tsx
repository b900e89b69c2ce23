import { RunPicker } from '../comparisons/run-picker.tsx'
import { useSelection } from '../comparisons/use-selection.ts'
import '../comparisons/compare.css'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
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
        <RunPicker selection={selection} />
      </Section>
    </Page>
  )
}

function Matrix({ runIds }: { readonly runIds: readonly string[] }) {
  const { data, error, isPending, retry } = useAttackMatrices(runIds)
  if (runIds.length === 0) return <EmptyState title="No runs chosen" />
  if (error) return <ErrorState error={error} title="Couldn’t load the attacks" onRetry={retry} />
  if (isPending) return <LinesSkeleton lines={6} />
  if (data.every(({ rows }) => rows.length === 0)) return <EmptyState title="These runs have no attacked tasks" />
  return <AttackTable matrices={data} />
}
