import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TuneCase, TuneSession } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { GraderEditor } from './grader-editor.tsx'
import { usePatchDraft } from './tuning.queries.ts'
import { describeModel, inputText, originWords } from './tuning-words.ts'

const shownCases = 50

const caseColumns: readonly Column<TuneCase>[] = [
  { id: 'id', title: 'Case', width: 130, rowHeader: true, cell: ({ id }) => <UntrustedText text={id} layout="inline" /> },
  {
    id: 'input',
    title: 'Input',
    width: 320,
    grow: true,
    cell: ({ input }) => <UntrustedText text={inputText(input).slice(0, 300)} layout="prose" />,
  },
  {
    id: 'expected',
    title: 'Expected',
    width: 180,
    cell: ({ expected }) =>
      expected === null ? (
        <span className="quiet">none</span>
      ) : (
        <UntrustedText text={[expected].flat().join(' or ').slice(0, 200)} layout="prose" />
      ),
  },
  { id: 'origin', title: 'Origin', width: 150, cell: one => <Origin one={one} /> },
]

function Origin({ one: { origin, edited } }: { readonly one: TuneCase }) {
  if (origin)
    return (
      <span className="tuning-badge" title={origin.ref}>
        {originWords[origin.kind]}
      </span>
    )
  return <span className="tuning-badge">{edited ? `Edited by ${edited.by}` : 'Written here'}</span>
}

/** Everything that is approved, on one page: call, grader, cases. */
export function DraftView({ session }: { readonly session: TuneSession }) {
  const { draft, status } = session
  const isDraft = status === 'draft'
  return (
    <>
      {isDraft && draft.missing.length > 0 ? (
        <Notice tone="warn" title="Not ready to approve">
          {draft.missing.join(' ')}
        </Notice>
      ) : null}
      <Section title="Call">
        <CallView session={session} />
      </Section>
      <Section title="Grader">
        <GraderEditor session={session} />
      </Section>
      <Section title={`Cases (${formatCount(draft.case_count)})`}>
        {draft.cases.length === 0 ? (
          <EmptyState title="No cases yet">Add the inputs that the call gets today, with the answers you expect.</EmptyState>
        ) : (
          <PlainTable label="Cases" columns={caseColumns} rows={draft.cases.slice(0, shownCases)} rowId={({ id }) => id} />
        )}
        {draft.case_count > shownCases ? <p className="quiet">The first {shownCases} are shown; the API lists all.</p> : null}
        {isDraft ? <AddCase session={session} /> : null}
      </Section>
    </>
  )
}

function CallView({ session }: { readonly session: TuneSession }) {
  const { call } = session.draft
  const patch = usePatchDraft(session)
  const [template, setTemplate] = useState(call?.prompt_template ?? '')
  if (!call) return <EmptyState title="No call yet">Set the call through the API, or begin a new session.</EmptyState>
  return (
    <>
      <KeyValues
        items={{
          Model: <UntrustedText text={describeModel(call)} layout="inline" />,
          'Max output tokens': formatCount(call.parameters.max_output_tokens),
          'System prompt': call.system_prompt === null ? null : <UntrustedText text={call.system_prompt} layout="block" />,
        }}
      />
      {call.source.snippet ? (
        <details>
          <summary>Code it was taken from</summary>
          <UntrustedText text={call.source.snippet} layout="block" />
        </details>
      ) : null}
      {session.status === 'draft' ? (
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            patch.mutate({ call: { ...call, prompt_template: template } })
          }}
        >
          <Textarea
            label="Prompt template"
            description="{input} is replaced by the input of each case."
            autosize
            minRows={2}
            maxRows={14}
            value={template}
            onChange={event => setTemplate(event.currentTarget.value)}
          />
          {patch.isError ? <FailureMessage title="Couldn't save the draft" error={patch.error} /> : null}
          <div className="row">
            <Button
              type="submit"
              variant="default"
              loading={patch.isPending}
              disabled={template === call.prompt_template || template === ''}
            >
              Save prompt
            </Button>
          </div>
        </form>
      ) : (
        <UntrustedText text={call.prompt_template} layout="block" />
      )}
    </>
  )
}

function AddCase({ session }: { readonly session: TuneSession }) {
  const patch = usePatchDraft(session)
  const [input, setInput] = useState('')
  const [expected, setExpected] = useState('')
  return (
    <form
      className="tuning-grid"
      onSubmit={event => {
        event.preventDefault()
        patch.mutate(
          { cases: { upsert: [{ input, expected: expected === '' ? null : expected, metadata: {}, cluster: null }] } },
          {
            onSuccess: () => {
              setInput('')
              setExpected('')
            },
          },
        )
      }}
    >
      <TextInput label="Input" value={input} onChange={event => setInput(event.currentTarget.value)} />
      <TextInput label="Expected answer" value={expected} onChange={event => setExpected(event.currentTarget.value)} />
      <div className="row" style={{ alignItems: 'end' }}>
        <Button type="submit" variant="default" disabled={input === ''} loading={patch.isPending}>
          Add case
        </Button>
      </div>
      {patch.isError ? <FailureMessage title="Couldn't save the draft" error={patch.error} /> : null}
    </form>
  )
}
