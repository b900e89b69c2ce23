import './annotations.css'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import { textField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import type { Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useAddVerdict, verdictsQuery } from './annotations.queries.ts'

const choices = [
  { verdict: 'pass', status: { word: 'Pass', tone: 'pass' } },
  { verdict: 'fail', status: { word: 'Fail', tone: 'fail' } },
  { verdict: 'unsure', status: { word: 'Unsure', tone: 'neutral' } },
] as const satisfies readonly { readonly verdict: ReleaseLabel['verdict']; readonly status: Status }[]

/** People's verdicts on a sample. They are labels for releases and never change its score. */
export function Verdicts({ runId, sampleId }: { readonly runId: string; readonly sampleId: string }) {
  const query = useQuery(verdictsQuery(runId, sampleId))
  const add = useAddVerdict(runId, sampleId)
  const [rationale, setRationale] = useState('')
  return (
    <>
      <p className="quiet small annotations-hint">A label for releases and calibration. The score does not change.</p>
      <QueryView query={query} failure="Couldn’t load the verdicts">
        {({ items }) =>
          items.length === 0 ? null : (
            <ul className="annotations-verdicts" aria-label="Verdicts">
              {newestOfEach(items).map(label => (
                <li key={label.id} className="row">
                  <StatusBadge status={statusOf(label)} />
                  <span className="quiet small">
                    <UntrustedText text={label.by.name} layout="prose" />, <RelativeTime at={label.created_at} />
                  </span>
                  {label.rationale === '' ? null : <UntrustedText text={label.rationale} layout="prose" />}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <div className="annotations-marks">
        <TextInput
          aria-label="Reason for the verdict, optional"
          placeholder="Reason (optional)"
          maxLength={5000}
          miw={220}
          {...textField(rationale, setRationale)}
        />
        {choices.map(({ verdict, status }) => (
          <Button
            key={verdict}
            variant="default"
            loading={add.isPending && add.variables.verdict === verdict}
            disabled={add.isPending}
            onClick={() => add.mutate({ verdict, rationale }, { onSuccess: () => setRationale('') })}
          >
            {status.word}
          </Button>
        ))}
      </div>
      {add.error ? <ErrorState error={add.error} title="The verdict was not saved" /> : null}
    </>
  )
}

function statusOf({ verdict }: ReleaseLabel): Status {
  return choices.find(choice => choice.verdict === verdict)?.status ?? { word: verdict, tone: 'neutral' }
}

/** From newest to oldest, a person's first one counts. */
function newestOfEach(labels: readonly ReleaseLabel[]): readonly ReleaseLabel[] {
  const seen = new Set<string>()
  return labels.filter(({ by }) => !seen.has(by.id) && seen.add(by.id))
}
