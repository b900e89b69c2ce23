import { Button, CloseButton, FileButton, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mediaTypes } from '../../contract/media/media.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { caseFiles, caseText } from '../../contract/tuning/case-input.ts'
import type { TuneCase } from '../../contract/tuning/draft.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { upload } from '../api/upload.ts'
import { MediaThumb } from '../media/media-thumb.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { usePatchDraft } from './tuning.queries.ts'

interface CaseFormProps {
  readonly session: TuneSession
  /** Null: a new case. */
  readonly editing: TuneCase | null
  readonly onDone: () => void
}

async function addFiles(files: readonly File[]): Promise<MediaPart[]> {
  const added: MediaPart[] = []
  for (const file of files) {
    const { digest: media, media_type } = await upload('uploadMedia', { fields: {}, files: [file] })
    if (media_type.startsWith('image/')) added.push({ type: 'image', media, alt: file.name })
    else
      added.push(media_type.startsWith('audio/') ? { type: 'audio', media } : { type: 'document', media, title: file.name.slice(0, 200) })
  }
  return added
}

/** Adds a case, or edits one. */
export function CaseForm({ session, editing, onDone }: CaseFormProps) {
  const patch = usePatchDraft(session)
  const [input, setInput] = useState(editing ? caseText(editing.input) : '')
  const [files, setFiles] = useState(editing ? caseFiles(editing.input) : [])
  const adding = useMutation({ mutationFn: addFiles, onSuccess: added => setFiles(now => [...now, ...added]) })
  const [expected, setExpected] = useState([editing?.expected ?? []].flat().join('\n'))
  const [cluster, setCluster] = useState(editing?.cluster ?? '')
  const answers = expected.split('\n').filter(line => line !== '')
  const isEmpty = input === '' && files.length === 0
  const save = () =>
    patch.mutate(
      {
        cases: {
          upsert: [
            {
              ...(editing && { id: editing.id }),
              input: files.length === 0 ? input : [...files, ...(input === '' ? [] : [{ type: 'text' as const, text: input }])],
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
          setFiles([])
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
        if (!isEmpty) save()
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
          {...textField(input, setInput)}
        />
        <Textarea
          label="Expected answer"
          description="One accepted answer per line"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={1}
          maxRows={8}
          {...textField(expected, setExpected)}
        />
        <TextInput
          label="Cluster"
          description="Same for cases of one conversation"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          {...textField(cluster, setCluster)}
        />
      </div>
      {editing?.origin ? (
        <p className="quotes-note">
          Changing the input or the answer of <UntrustedText text={editing.id} layout="inline" /> removes its origin.
        </p>
      ) : null}
      {files.length === 0 ? null : (
        <ul className="row tuning-files" aria-label="Files of the case">
          {files.map((part, i) => (
            <li key={part.media}>
              <MediaThumb part={part} size={64} alt={`File ${i + 1}`} />
              <CloseButton
                size="sm"
                aria-label={`Remove file ${i + 1}`}
                onClick={() => setFiles(files.filter(({ media }) => media !== part.media))}
              />
            </li>
          ))}
        </ul>
      )}
      {adding.isError ? <FailureMessage title="Couldn’t add the files" error={adding.error} /> : null}
      {patch.isError ? <FailureMessage title="Couldn’t save the case" error={patch.error} /> : null}
      <div className="row">
        <ReasonedButton
          type="submit"
          variant="default"
          loading={patch.isPending}
          blocked={adding.isPending ? 'Wait for the files.' : isEmpty ? 'Enter an input.' : null}
        >
          {editing ? 'Save case' : 'Add case'}
        </ReasonedButton>
        <FileButton multiple accept={mediaTypes.join(',')} onChange={chosen => adding.mutate(chosen)}>
          {props => (
            <Button {...props} variant="default" loading={adding.isPending}>
              Add image, audio or PDF
            </Button>
          )}
        </FileButton>
        {editing ? (
          <Button variant="subtle" onClick={onDone}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  )
}
