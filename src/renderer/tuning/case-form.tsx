import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TuneCase } from '../../contract/tuning/draft.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { usePatchDraft } from './tuning.queries.ts'
import { inputText } from './tuning-words.ts'

interface CaseFormProps {
  readonly session: TuneSession
  /** Null: a new case. */
  readonly editing: TuneCase | null
  readonly onDone: () => void
}

/** Adds a case, or edits one. */
export function CaseForm({ session, editing, onDone }: CaseFormProps) {
  const patch = usePatchDraft(session)
  const [input, setInput] = useState(editing ? inputText(editing.input) : '')
  const [expected, setExpected] = useState([editing?.expected ?? []].flat().join('\n'))
  const [cluster, setCluster] = useState(editing?.cluster ?? '')
  const answers = expected.split('\n').filter(line => line !== '')
  const save = () =>
    patch.mutate(
      {
        cases: {
          upsert: [
            {
              ...(editing && { id: editing.id }),
              input,
              expected: answers.length > 1 ? answers : (answers[0] ?? null),
              metadata: editing?.metadata ?? {},
              cluster: cluster === '' ? null : cluster,
            },
          ],
        },
      },
      {
        onSuccess: () => {
          setInput('')
          setExpected('')
          onDone()
        },
      },
    )
  return (
    <form
      className="tuning-card"
      aria-label={editing ? 'Edit case' : 'Add a case'}
      onSubmit={event => {
        event.preventDefault()
        if (input !== '') save()
      }}
    >
      <div className="tuning-case">
        <Textarea
          label="Input"
          autosize
          minRows={1}
          maxRows={8}
          // The field belongs to the case that was chosen a moment ago.
          data-autofocus={editing !== null || undefined}
          value={input}
          onChange={event => setInput(event.currentTarget.value)}
        />
        <Textarea
          label="Expected answer"
          description="One accepted answer per line"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={1}
          maxRows={8}
          value={expected}
          onChange={event => setExpected(event.currentTarget.value)}
        />
        <TextInput
          label="Cluster"
          description="Same for cases of one conversation"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          value={cluster}
          onChange={event => setCluster(event.currentTarget.value)}
        />
      </div>
      {editing?.origin ? (
        <p className="quotes-note">
          Changing the input or the answer of <UntrustedText text={editing.id} layout="inline" /> removes its origin.
        </p>
      ) : null}
      {patch.isError ? <FailureMessage title="Couldn’t save the case" error={patch.error} /> : null}
      <div className="row">
        <ReasonedButton type="submit" variant="default" loading={patch.isPending} blocked={input === '' ? 'Enter an input.' : null}>
          {editing ? 'Save case' : 'Add case'}
        </ReasonedButton>
        {editing ? (
          <Button variant="subtle" onClick={onDone}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  )
}
