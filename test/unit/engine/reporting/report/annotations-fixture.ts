import type { ExportedAnnotations } from '../../../../../src/contract/annotations/annotations.schemas.ts'

const by = { kind: 'person' as const, id: '01900000-0000-7000-8000-0000000000aa', name: 'Ada <b>' }
const at = '2026-11-20T10:00:00.000Z'

/** Of a run and of its second sample. */
export const fixtureAnnotations: readonly ExportedAnnotations[] = [
  {
    sample_id: null,
    position: null,
    bookmark: { by, at },
    tags: [{ tag: 'release 2.1', by, at }],
    notes: [{ note: 'Prompt changed.\nSee <i>ticket</i> 7.', by, created_at: at, changed_at: null }],
  },
  {
    sample_id: '01900000-0000-7000-8000-0000000000bb',
    position: 1,
    bookmark: null,
    tags: [{ tag: 'ambiguous', by, at }],
    notes: [],
  },
]
