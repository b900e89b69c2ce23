import { createElement as h, type ReactElement, type ReactNode } from 'react'
import type { ExportedAnnotations } from '../../../../contract/annotations/annotations.schemas.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { formatTimestamp } from '../../../../lib/format/time.ts'
import { definitions, section, table, untrusted } from './elements.ts'

/** More annotated samples than this are not reading matter; the JSON export has all of them. */
const mostSamples = 500

/** Notes, tags and bookmarks of the run and its samples; null if there are none. */
export function annotations(all: readonly ExportedAnnotations[]): ReactElement | null {
  if (all.length === 0) return null
  const run = all.find(one => one.position === null)
  const samples = all.filter(one => one.position !== null)
  return section(
    'annotations',
    'Notes and tags',
    run ? ofRun(run) : null,
    samples.length === 0
      ? null
      : table(
          samples.length > mostSamples
            ? `Annotated samples: the first ${formatCount(mostSamples)} of ${formatCount(samples.length)}; the JSON export has all of them`
            : 'Annotated samples',
          [{ label: 'Sample' }, { label: 'Bookmark' }, { label: 'Tags' }, { label: 'Notes' }],
          samples
            .slice(0, mostSamples)
            .map(one => [
              h('a', { href: `#sample-${one.sample_id}` }, formatCount((one.position ?? 0) + 1)),
              one.bookmark ? untrusted(one.bookmark.by.name) : '',
              tagsOf(one),
              notesOf(one),
            ]),
        ),
  )
}

function ofRun(run: ExportedAnnotations): ReactElement {
  return definitions([
    ...(run.bookmark ? [['Bookmark', untrusted(run.bookmark.by.name)] as const] : []),
    ...(run.tags.length > 0 ? [['Tags', tagsOf(run)] as const] : []),
    ...(run.notes.length > 0 ? [['Notes', notesOf(run)] as const] : []),
  ])
}

function tagsOf({ tags }: ExportedAnnotations): ReactNode {
  return untrusted(tags.map(({ tag }) => tag).join(', '))
}

function notesOf({ notes }: ExportedAnnotations): ReactNode {
  return notes.map(({ note, by, created_at: created, changed_at: changed }, key) =>
    h(
      'div',
      { key, className: 'note' },
      h('div', { className: 'note-text' }, untrusted(note)),
      h(
        'small',
        null,
        untrusted(by.name),
        `, ${formatTimestamp(created)}`,
        changed === null ? null : `, edited ${formatTimestamp(changed)}`,
      ),
    ),
  )
}
