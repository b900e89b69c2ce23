import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Note } from '../../contract/annotations/annotations.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useChangeNote, useDeleteNote } from './annotations.queries.ts'
import { NoteForm } from './note-form.tsx'

/** Of a note's text, in the names of its buttons. */
const NAME_CHARS = 40

/** One note: text, author and time; its author may edit it. */
export function NoteItem({ note, mayDelete }: { readonly note: Note; readonly mayDelete: boolean }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const change = useChangeNote(note.run_id, note.id)
  const remove = useDeleteNote(note.run_id, note.id)
  const close = (): void => setOpen(null)
  const what = `note “${showHidden(note.note.slice(0, NAME_CHARS))}${note.note.length > NAME_CHARS ? '…' : ''}”`
  return (
    <li className="annotations-note">
      {open === 'edit' ? (
        <NoteForm text={note.note} onSave={text => change.mutateAsync(text)} onClose={close} />
      ) : (
        <>
          <UntrustedText text={note.note} layout="prose" />
          <div className="row quiet small">
            <span>
              <UntrustedText text={note.by.name} layout="prose" />
              {note.by.kind === 'key' ? ' (API key)' : ''}, <RelativeTime at={note.created_at} />
              {note.changed_at === null ? null : (
                <>
                  , edited <RelativeTime at={note.changed_at} />
                </>
              )}
            </span>
            {note.own ? (
              <Button variant="subtle" size="compact-xs" aria-label={`Edit ${what}`} onClick={() => setOpen('edit')}>
                Edit
              </Button>
            ) : null}
            {mayDelete ? (
              <Button variant="subtle" color="gray" size="compact-xs" aria-label={`Delete ${what}`} onClick={() => setOpen('delete')}>
                Delete
              </Button>
            ) : null}
          </div>
        </>
      )}
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title="Delete this note?"
        action="Delete note"
        onConfirm={() => remove.mutateAsync()}
      >
        This cannot be undone.
      </ConfirmDialog>
    </li>
  )
}
