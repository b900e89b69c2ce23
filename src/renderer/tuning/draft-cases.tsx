import { Button } from '@mantine/core'
import { useState } from 'react'
import type { TuneCase } from '../../contract/tuning/draft.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CaseForm } from './case-form.tsx'
import { CaseInput } from './case-input.tsx'
import { usePatchDraft } from './tuning.queries.ts'
import { originWords } from './tuning-words.ts'

/** Cases shown at first, and more at a time. */
const shownAtOnce = 50

const columns: readonly Column<TuneCase>[] = [
  { id: 'id', title: 'Case', width: 120, rowHeader: true, cell: ({ id }) => <UntrustedText text={id} layout="prose" /> },
  {
    id: 'input',
    title: 'Input',
    width: 300,
    grow: true,
    cell: ({ input }) => <CaseInput input={input} />,
  },
  {
    id: 'expected',
    title: 'Expected',
    width: 150,
    cell: ({ expected }) =>
      expected === null ? (
        <span className="quiet">none</span>
      ) : (
        <UntrustedText text={[expected].flat().join(' or ').slice(0, 200)} layout="prose" />
      ),
  },
]
const clusterColumn: Column<TuneCase> = {
  id: 'cluster',
  title: 'Cluster',
  width: 130,
  cell: ({ cluster }) => (cluster === null ? <span className="quiet">none</span> : <UntrustedText text={cluster} layout="prose" />),
}
const originColumn: Column<TuneCase> = { id: 'origin', title: 'Origin', width: 140, cell: one => <Origin one={one} /> }

function Origin({ one: { origin, edited } }: { readonly one: TuneCase }) {
  if (origin)
    return (
      <span className="tuning-badge" title={origin.ref}>
        {originWords[origin.kind]}
      </span>
    )
  return <span className="tuning-badge">{edited ? `Edited by ${edited.by}` : 'Written here'}</span>
}

/** Text, or files and one text: more texts between files would lose their places. */
function isEditable(input: TuneCase['input']): boolean {
  return typeof input === 'string' || (Array.isArray(input) && input.filter(({ type }) => type === 'text').length <= 1)
}

/** The cases of a draft: listed, added, edited and removed. */
export function DraftCases({ session }: { readonly session: TuneSession }) {
  const { draft, status } = session
  const isDraft = status === 'draft'
  const patch = usePatchDraft(session)
  const [shown, setShown] = useState(shownAtOnce)
  const [editing, setEditing] = useState<TuneCase | null>(null)
  const rows = draft.cases.slice(0, shown)
  const remove = (id: string) => {
    patch.mutate({ cases: { remove: [id] } })
    setEditing(null)
  }
  const actions: Column<TuneCase> = {
    id: 'actions',
    title: 'Actions',
    width: 150,
    align: 'end',
    cell: one => (
      <div className="row tuning-actions">
        <ReasonedButton
          size="compact-xs"
          variant="default"
          aria-label={`Edit ${one.id}`}
          blocked={isEditable(one.input) ? null : 'Structured inputs are edited through the API.'}
          onClick={() => setEditing(one)}
        >
          Edit
        </ReasonedButton>
        <Button size="compact-xs" variant="default" aria-label={`Remove ${one.id}`} onClick={() => remove(one.id)}>
          Remove
        </Button>
      </div>
    ),
  }
  const isClustered = rows.some(({ cluster }) => cluster !== null)
  return (
    <>
      {isDraft ? <CaseForm key={editing?.id ?? ''} session={session} editing={editing} onDone={() => setEditing(null)} /> : null}
      {rows.length === 0 ? (
        <EmptyState title="No cases yet">Add the inputs that the call gets today, with the answers you expect.</EmptyState>
      ) : (
        <PlainTable
          label="Cases"
          columns={[...columns, ...(isClustered ? [clusterColumn] : []), originColumn, ...(isDraft ? [actions] : [])]}
          rows={rows}
          rowId={({ id }) => id}
        />
      )}
      {patch.isError ? <FailureMessage title="Couldn’t remove the case" error={patch.error} /> : null}
      {rows.length < draft.case_count ? (
        <div className="row">
          {rows.length < draft.cases.length ? (
            <Button variant="default" size="xs" onClick={() => setShown(shown + shownAtOnce)}>
              Show more cases
            </Button>
          ) : null}
          <span className="quiet">
            {formatCount(rows.length)} of {formatCount(draft.case_count)} shown
            {rows.length === draft.cases.length ? '; the API lists all' : ''}
          </span>
        </div>
      ) : null}
    </>
  )
}
