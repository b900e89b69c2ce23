import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import type { Example } from '../../contract/datasets/examples.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { SidePanel } from '../ui/page/split-view.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { labelStateWords, labelText, originWords, reviewStatuses, verificationWords } from './dataset-words.ts'
import { exampleActions, exampleQuery, historyQuery } from './datasets.queries.ts'
import { ExampleView } from './example-view.tsx'

/** One example beside the list: content, labels, verification history, and what a reviewer does with it. */
export function ExamplePanel({
  datasetId,
  exampleId,
  onClose,
}: {
  readonly datasetId: string
  readonly exampleId: string
  readonly onClose: () => void
}) {
  const query = useQuery(exampleQuery(datasetId, exampleId))
  return (
    <SidePanel title="Example" label="Example" onClose={onClose}>
      <QueryView query={query} failure="Couldn’t load the example">
        {example => <Details datasetId={datasetId} example={example} />}
      </QueryView>
    </SidePanel>
  )
}

function Details({ datasetId, example }: { readonly datasetId: string; readonly example: Example }) {
  const history = useQuery(historyQuery(datasetId, example.id))
  const { label_state: state, labels, origin } = example
  return (
    <div className="stack">
      <div className="row">
        <StatusBadge status={reviewStatuses[example.review_state]} />
        <span className="quiet small num">Revision {example.revision}</span>
        <span className="quiet small">{originWords[origin.kind]}</span>
      </div>
      <Decisions datasetId={datasetId} example={example} />
      <ExampleView example={example} />
      <section aria-label="Labels" className="example-part">
        <h3>Labels</h3>
        <p>
          <UntrustedText text={labelText(example)} layout="inline" />{' '}
          {state === 'none' ? null : <span className="quiet">{labelStateWords[state]}</span>}
        </p>
        <ul>
          {labels.map(label => (
            <li key={`${label.by} ${label.annotator}`}>
              <UntrustedText text={`${label.annotator}: ${label.value}`} layout="prose" />
              {label.by === 'key' ? <span className="quiet"> (API key)</span> : null}
              {label.note ? <UntrustedText text={label.note} layout="prose" /> : null}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Verification history" className="example-part">
        <h3>Verification history</h3>
        <QueryView query={history} failure="Couldn’t load the history">
          {({ current, archived }) =>
            current.length + archived.length === 0 ? (
              <p className="quiet">Not reviewed or scanned yet.</p>
            ) : (
              <ul>
                {[...current, ...archived].map(record => (
                  <li key={record.id}>
                    {verificationWords[record.kind]}: {record.outcome.replaceAll('_', ' ')}{' '}
                    <span className="quiet small">
                      revision {record.revision}, <UntrustedText text={record.by.name} layout="inline" />, <RelativeTime at={record.at} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </section>
    </div>
  )
}

const decisions = { approve: 'Approve', reject: 'Reject', submit: 'Send to review' } as const

function Decisions({ datasetId, example }: { readonly datasetId: string; readonly example: Example }) {
  const client = useQueryClient()
  const review = useMutation({
    mutationFn: (decision: keyof typeof decisions) => exampleActions(datasetId).review(example, decision),
    onSuccess: () => client.invalidateQueries({ queryKey: ['datasets'] }),
    onError: error => notifyFailed('The review was not stored', error),
  })
  return (
    <div className="row">
      {(['approve', 'reject', 'submit'] as const)
        .filter(decision => allows(exampleMachine, example.review_state, decision))
        .map(decision => (
          <Button
            key={decision}
            size="xs"
            variant={decision === 'approve' ? 'filled' : 'default'}
            loading={review.isPending && review.variables === decision}
            onClick={() => review.mutate(decision)}
          >
            {decisions[decision]}
          </Button>
        ))}
    </div>
  )
}
