import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { decisionTaskChanges, type DecisionTaskChange } from '../../contract/releases/decision-tasks.schemas.ts'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { EvaluateForm } from '../suites/evaluate-form.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { decisionQuery, decisionSelectionQuery } from './releases.queries.ts'
import { valueOf } from '../quotes/model-value.ts'

/** Runs a model on exactly the tasks that a decision gains or loses. */
export function RunSelectionPage() {
  const { decisionId = '' } = useParams()
  return (
    <Page>
      <QueryView
        query={useQuery(decisionQuery(decisionId))}
        failure="Couldn’t load the decision"
        header={<PageHeader title="Run on a selection" parent={{ title: 'Releases', to: '/releases' }} />}
      >
        {decision => <Selection decision={decision} />}
      </QueryView>
    </Page>
  )
}

const words: Readonly<Record<DecisionTaskChange, string>> = { lost: 'loses', gained: 'gains' }
const names: Readonly<Record<DecisionTaskChange, string>> = { lost: 'Losses', gained: 'Gains' }

function Selection({ decision }: { readonly decision: Decision }) {
  const { get } = useAddress()
  const change = oneOf(get('change'), decisionTaskChanges)
  const group = get('group') || undefined
  const back = `/releases/${decision.id}`
  const { candidate } = decision.plan.models
  const header = <PageHeader title="Run on a selection" parent={{ title: showHidden(decision.name), to: back }} />
  const verb = change === undefined ? 'gains or loses' : words[change]
  return (
    <QueryView query={useQuery(decisionSelectionQuery(decision.id, { change, group }))} failure="Couldn’t select the tasks" header={header}>
      {({ tasks, task_selections: selections }) => (
        <>
          <PageHeader
            title={tasks === 1 ? 'Run on 1 task' : `Run on ${formatCount(tasks)} tasks`}
            parent={{ title: showHidden(decision.name), to: back }}
            description={`Exactly the tasks that the candidate ${verb}${group === undefined ? '' : ` in the group “${showHidden(group)}”`}. Nothing starts before you press Start evaluation.`}
          />
          <EvaluateForm
            id={`${decision.id}-${change ?? 'all'}-${group ?? 'all'}`}
            name={`${change === undefined ? 'Gains and losses' : names[change]} of ${decision.name}`}
            tasks={tasks}
            evaluated={{ task_selections: selections }}
            // Whoever looks at its losses wants to know whether they repeat.
            initialModel={candidate === null ? null : valueOf(candidate)}
            caution="The result is of a selection, never a benchmark score: these tasks were chosen by what both sides answered."
            cancelTo={back}
          />
        </>
      )}
    </QueryView>
  )
}
