import { Button, Checkbox, Modal, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { checkField, textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { GroupTermsFields } from './group-terms-fields.tsx'
import { termsOf, useGroupTerms } from './group-terms.ts'
import { describePower } from './tuning-words.ts'
import { useApprove } from './tuning-groups.queries.ts'

/** The step that needs a person. It names what is approved: the revision, its cases, and what may be spent without asking again. */
export function ApproveDraft({ session }: { readonly session: TuneSession }) {
  const { missing } = session.draft
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ReasonedButton blocked={missing.length > 0 ? missing.join(' ') : null} onClick={() => setOpened(true)}>
        Approve
      </ReasonedButton>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Approve “${session.name}”?`} size="lg">
        <ApproveForm session={session} onDone={() => setOpened(false)} />
      </Modal>
    </>
  )
}

function ApproveForm({ session, onDone }: { readonly session: TuneSession; readonly onDone: () => void }) {
  const { call, case_count: count, revision } = session.draft
  const approve = useApprove(session.id)
  const [comment, setComment] = useState('')
  const [automatic, setAutomatic] = useState(false)
  const [terms, setTerms] = useGroupTerms()
  const [missing, setMissing] = useState<string | null>(null)
  const auto = automatic ? termsOf(terms, call) : null
  const cap = auto !== null && typeof auto !== 'string' ? `, spending limit ${formatUsd(auto.max_charge_microusd)}` : ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typeof auto === 'string') return setMissing(auto)
    setMissing(null)
    approve.mutate({ revision, ...(comment.trim() !== '' && { comment: comment.trim() }), ...(auto && { auto }) }, { onSuccess: onDone })
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="tuning-terms">
        Revision {revision} with {formatCount(count)} {count === 1 ? 'case' : 'cases'}
        {cap}.
      </p>
      {session.draft.detectable_margin === null ? null : (
        <p className="quotes-note">{describePower(session.draft.detectable_margin, session.draft.objective.margin, count)}</p>
      )}
      <p className="quotes-note">
        The draft becomes a private benchmark and can no longer be edited.{' '}
        {automatic
          ? 'The service then quotes and starts the candidates below by itself, within the limit.'
          : 'Nothing is spent before you start a quote.'}
      </p>
      <Textarea label="Comment" maxLength={5000} autosize minRows={1} maxRows={6} {...textField(comment, setComment)} />
      <Checkbox label="Quote and start candidates automatically" {...checkField(automatic, setAutomatic)} />
      {automatic ? <GroupTermsFields call={call} value={terms} onChange={setTerms} /> : null}
      {missing === null ? null : <output className="quotes-error">{missing}</output>}
      {approve.isError ? <ErrorState error={approve.error} title="Couldn’t approve the draft" /> : null}
      <DialogActions onCancel={onDone}>
        <Button type="submit" loading={approve.isPending}>
          Approve revision {revision}
        </Button>
      </DialogActions>
    </form>
  )
}
