import './annotations.css'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyFailed } from '../ui/page/notify.ts'
import { IconNote } from '../ui/pictures/icons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useRole } from '../workspace/use-role.ts'
import { annotationsQuery, type Target, useChangeAnnotations, useCreateNote } from './annotations.queries.ts'
import { BookmarkButton } from './bookmark-button.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteItem } from './note-item.tsx'
import { TagsField } from './tags-field.tsx'

/** Bookmark, tags and notes of a run or sample. */
export function AnnotationsView({ target }: { readonly target: Target }) {
  const { mayAdminister } = useRole()
  const query = useQuery(annotationsQuery(target))
  const change = useChangeAnnotations(target.runId)
  const create = useCreateNote(target)
  const [writing, setWriting] = useState(false)
  const sampleIds = target.sampleId === null ? {} : { sample_ids: [target.sampleId] }
  return (
    <QueryView query={query} failure="Couldn’t load notes and tags" loading={<MarksSkeleton />}>
      {({ bookmark, tags, notes }) => (
        <div className="stack">
          <div className="annotations-marks">
            <BookmarkButton target={target} bookmark={bookmark} />
            <TagsField
              tags={tags.map(({ tag }) => tag)}
              onChange={changes =>
                change.mutate({ ...changes, ...sampleIds }, { onError: error => notifyFailed('The tags were not changed', error) })
              }
            />
            {writing ? null : (
              <Button variant="default" leftSection={<IconNote size={16} aria-hidden />} onClick={() => setWriting(true)}>
                Add note
              </Button>
            )}
          </div>
          {writing ? <NoteForm text="" onSave={text => create.mutateAsync(text)} onClose={() => setWriting(false)} /> : null}
          {notes.length === 0 ? null : (
            <ul className="annotations-notes" aria-label="Notes">
              {notes.map(note => (
                <NoteItem key={note.id} note={note} mayDelete={note.own || mayAdminister} />
              ))}
            </ul>
          )}
        </div>
      )}
    </QueryView>
  )
}

/** As high as the bookmark, the tags and the button, so that the page keeps its place. */
function MarksSkeleton() {
  return (
    <div className="annotations-marks" aria-busy>
      <span className="visually-hidden">Loading</span>
      <Skeleton height={36} width={360} />
    </div>
  )
}
