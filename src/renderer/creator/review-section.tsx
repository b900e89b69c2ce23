import { Button, NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewPackageReview, Package } from '../../contract/creator/packages.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { textField } from '../ui/forms/fields.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { usePackageActions, taskSampleQuery } from './creator.queries.ts'
import { TaskSample } from './task-sample.tsx'

const outcomeWords = { approve: 'Approved.', request_changes: 'Changes requested.', reject: 'Rejected.' } as const

/** Sampled tasks as a model sees them, and the reviewer's verdict. */
export function ReviewSection({ of }: { readonly of: Package }) {
  const [seed, setSeed] = useState(0)
  const [note, setNote] = useState('')
  const profiles = (of.manifest?.profiles ?? []).map(({ key, title }) => ({ value: key, label: showHidden(title) }))
  const [profile, setProfile] = useState(profiles[0]?.value)
  const sample = useQuery(taskSampleQuery(of.id, seed, profile))
  const { review } = usePackageActions(of.id)
  const decide = (outcome: NewPackageReview['outcome']) =>
    review.mutate({ outcome, note: note.trim() }, { onSuccess: () => notifyDone(outcomeWords[outcome]) })
  const disabled = note.trim() === '' || review.isPending
  return (
    <Section
      title="Review"
      aside={
        <div className="row">
          {profiles.length > 1 ? (
            <NativeSelect size="xs" aria-label="Profile" data={profiles} {...textField(profile ?? '', setProfile)} />
          ) : null}
          <Button size="compact-xs" variant="default" loading={sample.isFetching} onClick={() => setSeed(seed + 1)}>
            Show other tasks
          </Button>
        </div>
      }
    >
      <QueryView query={sample} failure="Couldn’t load tasks">
        {({ items, total }) => (
          <>
            <p className="quiet">
              {formatCount(items.length)} of {formatCount(total)} tasks, as a model sees them.
            </p>
            <TaskSample items={items} />
          </>
        )}
      </QueryView>
      <Textarea
        label="Note"
        description="What you looked at and why you decide so. It stays with the package."
        required
        autosize
        minRows={2}
        maw={640}
        {...textField(note, setNote)}
      />
      {review.error ? <ErrorState error={review.error} title="The review was not stored" /> : null}
      <div className="row">
        <Button disabled={disabled} onClick={() => decide('approve')}>
          Approve
        </Button>
        <Button variant="default" disabled={disabled} onClick={() => decide('request_changes')}>
          Request changes
        </Button>
        <Button variant="default" disabled={disabled} onClick={() => decide('reject')}>
          Reject
        </Button>
        <span className="quiet small">Anything but approval rejects this version.</span>
      </div>
    </Section>
  )
}
