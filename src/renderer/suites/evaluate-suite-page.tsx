import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { EvaluateForm } from './evaluate-form.tsx'
import { suiteQuery } from './suites.queries.ts'

/** Starts a run of exactly the suite's tasks. */
export function EvaluateSuitePage() {
  const { suiteId = '' } = useParams()
  return (
    <Page>
      <QueryView query={useQuery(suiteQuery(suiteId))} failure="Couldn’t load the suite">
        {suite => (
          <>
            <PageHeader
              title="Run as evaluation"
              parent={{ title: showHidden(suite.name), to: `/suites/${suite.id}` }}
              description={`Runs exactly the ${formatCount(suite.tasks)} tasks of version ${suite.version}. Nothing starts before you press Start evaluation.`}
            />
            <EvaluateForm
              id={suite.id}
              name={suite.name}
              tasks={suite.tasks}
              evaluated={{ suite_version_id: suite.id }}
              cancelTo={`/suites/${suite.id}`}
            />
          </>
        )}
      </QueryView>
    </Page>
  )
}
