import { Button, Tooltip } from '@mantine/core'
import type { Annotations } from '../../contract/annotations/annotations.schemas.ts'
import { IconBookmark, IconBookmarkFilled } from '../ui/pictures/icons.tsx'
import { formatLocalTime } from '../ui/values/local-time.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { type Target, useChangeAnnotations } from './annotations.queries.ts'

/** Sets and removes the bookmark, which everybody in the workspace sees. */
export function BookmarkButton({ target, bookmark }: { readonly target: Target; readonly bookmark: Annotations['bookmark'] }) {
  const change = useChangeAnnotations(target.runId)
  const toggle = (): void =>
    change.mutate(
      { bookmarked: bookmark === null, ...(target.sampleId === null ? {} : { sample_ids: [target.sampleId] }) },
      { onError: error => notifyFailed('The bookmark was not changed', error) },
    )
  const Icon = bookmark === null ? IconBookmark : IconBookmarkFilled
  return (
    <Tooltip
      label={
        bookmark === null ? 'Visible to everyone in the workspace' : `By ${showHidden(bookmark.by.name)}, ${formatLocalTime(bookmark.at)}`
      }
    >
      <Button
        variant="default"
        aria-pressed={bookmark !== null}
        loading={change.isPending}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={toggle}
      >
        {bookmark === null ? 'Bookmark' : 'Bookmarked'}
      </Button>
    </Tooltip>
  )
}
