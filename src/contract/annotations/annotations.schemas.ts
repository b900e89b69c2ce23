import { z } from 'zod'
import { By } from '../datasets/examples.schemas.ts'
import { named, Timestamp, Uuid } from '../primitives.ts'

/** Largest number of tags on one run or sample. */
export const mostTags = 20
/** Largest number of notes on one run or sample. */
export const mostNotes = 200

export const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(50)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._:/+-]*$/u,
    'must begin with a letter or digit and contain only letters, digits, spaces and . _ : / + -',
  )
  .meta({ id: 'Tag' })

const NoteText = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .regex(/^(?:\P{Cc}|[\n\t])*$/u, 'must not contain control characters')
  .describe('Plain text; line breaks are kept.')

const sample_id = Uuid.optional().describe('A sample of the run; absent: the run itself.')

export const Note = named('Note', {
  id: Uuid,
  run_id: Uuid,
  sample_id: Uuid.nullable().describe('Null for a note on the run itself.'),
  note: NoteText,
  by: By,
  own: z.boolean().describe('Whether the caller wrote it and so may edit it.'),
  created_at: Timestamp,
  changed_at: Timestamp.nullable().describe('Last edit; null if never edited.'),
})

export const NewNote = named('NewNote', { sample_id, note: NoteText })
export const NoteChanges = named('NoteChanges', { note: NoteText })

/** Annotations of one run or sample, shared by the workspace. */
export const Annotations = named('Annotations', {
  bookmark: z.strictObject({ by: By, at: Timestamp }).nullable(),
  tags: z.array(z.strictObject({ tag: Tag, by: By, at: Timestamp })).describe('In alphabetical order.'),
  notes: z.array(Note).describe('Oldest first.'),
})

export const AnnotationsQuery = z.strictObject({ sample_id })

/** Changes to bookmarks and tags; absent fields keep their values. */
export const AnnotationChanges = named('AnnotationChanges', {
  sample_ids: z.array(Uuid).min(1).max(10_000).optional().describe('Samples of the run; absent: the run itself.'),
  bookmarked: z.boolean().optional(),
  add_tags: z.array(Tag).max(mostTags).optional().describe('Tags are lower-case; one that is already present is kept.'),
  remove_tags: z.array(Tag).max(mostTags).optional(),
})

/** Annotations of a row in a list. */
export const AnnotationSummary = named('AnnotationSummary', {
  bookmarked: z.boolean(),
  tags: z.array(Tag),
  notes: z.int().min(0).describe('Number of notes.'),
})

export const TagUse = named('TagUse', {
  tag: Tag,
  runs: z.int().min(0).describe('Runs with this tag.'),
  samples: z.int().min(0).describe('Samples with this tag.'),
})

/** Annotations of a run or of one of its samples, as exports hold them. */
export interface ExportedAnnotations extends Pick<z.infer<typeof Annotations>, 'bookmark' | 'tags'> {
  /** Null for the run itself. */
  readonly sample_id: string | null
  /** Of the sample in the run; null for the run itself. */
  readonly position: number | null
  readonly notes: readonly Pick<z.infer<typeof Note>, 'note' | 'by' | 'created_at' | 'changed_at'>[]
}

export type Note = z.infer<typeof Note>
export type NewNote = z.infer<typeof NewNote>
export type Annotations = z.infer<typeof Annotations>
export type AnnotationChanges = z.infer<typeof AnnotationChanges>
export type AnnotationSummary = z.infer<typeof AnnotationSummary>
export type TagUse = z.infer<typeof TagUse>
