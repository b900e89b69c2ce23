import './compare.css'
import '../runs/runs.css'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { ChosenRuns } from './chosen-runs.tsx'
import { RunPicker } from './run-picker.tsx'
import { useSelection } from './use-selection.ts'

export function NewComparisonPage() {
  const selection = useSelection()
  return (
    <Page>
      <PageHeader
        title="New comparison"
        parent={{ title: 'Compare', to: '/compare' }}
        description="Choose two to ten finished runs. Assay checks first whether they can be compared and names every difference."
      />
      <div className="compare-form">
        <RunPicker selection={selection} />
        <ChosenRuns selection={selection} />
      </div>
    </Page>
  )
}
