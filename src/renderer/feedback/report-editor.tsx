import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { checkField, textField } from '../ui/forms/fields.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { AttemptedFacts } from './attempted-facts.tsx'
import { kindWords, optionsOf, severityWords } from './feedback-words.ts'
import { useSendReport } from './feedback.queries.ts'
import { bodyOfForm, refusedFields, type ReportErrors, type ReportForm } from './report-form.ts'

export function ReportEditor({ initial }: { readonly initial: ReportForm }) {
  const navigate = useNavigate()
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<ReportErrors>({})
  const send = useSendReport()
  const change = (changes: Partial<ReportForm>): void => {
    setForm(before => ({ ...before, ...changes }))
    setErrors({})
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const read = bodyOfForm(form)
    if ('errors' in read) return setErrors(read.errors)
    send.mutate(read.body, {
      onSuccess: ({ feedback_id: id, duplicate_of: earlier }) => {
        notifyDone(earlier === null ? 'Reported.' : 'Reported. It looks like an earlier report of the last 24 hours; both are kept.')
        void navigate(`/feedback?open=${id}`)
      },
      onError: error => setErrors(error instanceof ServiceError ? refusedFields(error) : {}),
    })
  }
  const textOf = (field: 'details' | 'expected' | 'actual') => ({
    autosize: true,
    minRows: 2,
    maxRows: 12,
    error: errors[field],
    ...textField(form[field], text => change({ [field]: text })),
  })
  return (
    <form className="stack" style={{ gap: 24 }} onSubmit={submit} noValidate>
      <Section title="What happened">
        <TextInput label="Summary" required error={errors.summary} {...textField(form.summary, text => change({ summary: text }))} />
        <div className="row" style={{ gap: 16, alignItems: 'flex-start' }}>
          <Select label="Kind" w={220} data={optionsOf(kindWords)} value={form.kind} onChange={kind => kind && change({ kind })} />
          <Select
            label="Severity"
            w={220}
            data={optionsOf(severityWords)}
            value={form.severity}
            onChange={severity => severity && change({ severity })}
          />
        </div>
        <Textarea label="What you did" {...textOf('details')} />
        <Textarea label="Actual result" {...textOf('actual')} />
        <Textarea label="What you expected" {...textOf('expected')} />
      </Section>
      {form.attempted ? (
        <Section title="The request that went wrong">
          <AttemptedFacts attempted={form.attempted} />
          <Checkbox
            label="Send this with the report"
            {...checkField(form.sendAttempted, isChecked => change({ sendAttempted: isChecked }))}
          />
        </Section>
      ) : null}
      <Checkbox label="You may contact me about this" {...checkField(form.contactOk, isChecked => change({ contactOk: isChecked }))} />
      <p className="quiet small prose" style={{ margin: 0 }}>
        Anything that looks like a key or password is removed before the report is stored.
      </p>
      {send.isError && Object.keys(errors).length === 0 ? (
        <ErrorState error={send.error} title="The report was not sent" reportable={false} />
      ) : null}
      <FormActions>
        <Button type="submit" loading={send.isPending}>
          Send report
        </Button>
        <Button component={Link} to="/feedback" variant="default">
          Cancel
        </Button>
      </FormActions>
    </form>
  )
}
