import { Anchor, Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { caseText } from '../../contract/tuning/case-input.ts'
import type { TuneCase, TuneGrader } from '../../contract/tuning/draft.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { evaluatorVersionsQuery, useEvaluatorOptions } from '../evaluators/evaluators.queries.ts'
import { calibrationStatus } from '../evaluators/evaluators-words.ts'
import { textField } from '../ui/forms/fields.ts'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { triedGraderQuery, usePatchDraft } from './tuning.queries.ts'
import { CaseInput } from './case-input.tsx'

/** Cases that the grader is tried on. */
const liveCases = 3

/** The grader with a preview on answers to the first cases. No model is called. */
export function GraderEditor({ session }: { readonly session: TuneSession }) {
  const { draft, status } = session
  const patch = usePatchDraft(session)
  const options = useEvaluatorOptions()
  const versions = useQuery(evaluatorVersionsQuery)
  const judge = versions.data?.find(
    ({ id, requires }) =>
      requires.model_calls_per_output > 0 &&
      draft.grader &&
      'evaluator_version_id' in draft.grader &&
      draft.grader.evaluator_version_id === id,
  )
  const choices = [
    {
      group: 'Evaluators',
      items: (versions.data ?? []).map(({ id, name, version }) => ({ value: `evaluator ${id}`, label: `${name}, version ${version}` })),
    },
    { group: 'Scorers', items: (options.data?.scorers ?? []).map(({ id, title }) => ({ value: `scorer ${id}`, label: title })) },
  ]
  return (
    <>
      {status === 'draft' ? (
        <Select
          label="Grader"
          description="Decides whether an answer is right."
          maw={520}
          searchable
          withScrollArea={false}
          styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
          data={choices}
          value={draft.grader ? valueOf(draft.grader) : null}
          onChange={value => {
            const grader = value === null ? null : graderOf(value)
            if (grader) patch.mutate({ grader })
          }}
        />
      ) : null}
      {patch.isError ? <FailureMessage title="Couldn’t save the grader" error={patch.error} /> : null}
      {draft.grader === null ? (
        <EmptyState title="No grader yet">Choose an evaluator of this workspace or a scorer.</EmptyState>
      ) : judge ? (
        <JudgeNote judge={judge} />
      ) : draft.cases.length === 0 ? null : (
        <>
          <p className="quiet">Try it: change an answer and see the verdict.</p>
          <div className="tuning-grid">
            {draft.cases.slice(0, liveCases).map((one, i) => (
              <LiveCase key={one.id} grader={draft.grader} one={one} place={i + 1} />
            ))}
          </div>
        </>
      )}
    </>
  )
}

/** A judge costs calls, so it is not tried here; what is known of it is its calibration. */
function JudgeNote({ judge: { id, requires, calibration } }: { readonly judge: EvaluatorSnapshot }) {
  const { status, verdict } = calibration
  return (
    <>
      <KeyValues
        items={{
          Calls: `${formatCount(requires.model_calls_per_output)} of a judge for each answer, when the session runs`,
          Calibration: (
            <>
              <StatusBadge status={calibrationStatus(calibration)} />{' '}
              <Anchor component={Link} to={`/evaluators/${id}`} fz="inherit">
                Open the evaluator
              </Anchor>
            </>
          ),
        }}
      />
      {status === 'current' && verdict === 'usable' ? null : (
        <Notice tone="warn" title="Not shown to agree with people">
          A session graded by this judge can recommend a worse model. Calibrate the judge on labeled examples first.
        </Notice>
      )}
    </>
  )
}

function LiveCase({ grader, one, place }: { readonly grader: TuneGrader | null; readonly one: TuneCase; readonly place: number }) {
  const [answer, setAnswer] = useState([one.expected].flat()[0] ?? '')
  const [tried, setTried] = useState(answer)
  const query = useQuery(triedGraderQuery(grader, { input: caseText(one.input), output: tried, expected: one.expected }))
  return (
    <form
      className="tuning-card"
      onSubmit={event => {
        event.preventDefault()
        setTried(answer)
      }}
    >
      <CaseInput input={one.input} />
      <TextInput label={`Answer to case ${place}`} {...textField(answer, setAnswer)} onBlur={() => setTried(answer)} />
      <output aria-live="polite">
        {query.isError ? <FailureMessage title="Couldn’t grade the answer" error={query.error} /> : null}
        {query.data?.kind === 'verdict' ? (
          <>
            <strong>{query.data.class}</strong> <UntrustedText text={query.data.explanation} layout="prose" />
          </>
        ) : null}
        {query.isPending ? <span className="quiet">Grading…</span> : null}
      </output>
      <div className="row">
        <Button type="submit" variant="default" size="xs">
          Grade
        </Button>
      </div>
    </form>
  )
}

function valueOf(grader: TuneGrader): string {
  return 'evaluator_version_id' in grader ? `evaluator ${grader.evaluator_version_id}` : `scorer ${grader.scorer}`
}

function graderOf(value: string): TuneGrader | null {
  const [kind, id = ''] = value.split(' ')
  if (kind === 'evaluator') return { evaluator_version_id: id }
  return kind === 'scorer' ? { scorer: id, options: {} } : null
}
