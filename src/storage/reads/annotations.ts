import { z } from 'zod'
import type { AnnotationSummary, ExportedAnnotations } from '../../contract/annotations/annotations.schemas.ts'
import type { Database } from '../database.ts'
import { sampleId } from '../sample-id.ts'

/** Position of annotations of the run itself. */
export const ofRun = -1

const MarkRow = z.object({ target: z.int(), kind: z.enum(['bookmark', 'tag']), tag: z.string() })
const NoteCount = z.object({ target: z.int(), n: z.int() })

/** What lists show of the annotations at these positions of a run. */
export function readAnnotationSummaries(
  db: Database,
  runNo: number,
  positions: readonly number[],
): (position: number) => AnnotationSummary {
  return readSummaries(db, { target: 'position', others: 'run_no' }, runNo, positions)
}

/** What lists show of the annotations of the runs themselves. */
export function readRunAnnotations(db: Database, runNos: readonly number[]): (runNo: number) => AnnotationSummary {
  return readSummaries(db, { target: 'run_no', others: 'position' }, ofRun, runNos)
}

/** @param columns by which targets differ, and which they have in common */
function readSummaries(
  db: Database,
  { target, others }: { readonly target: 'position' | 'run_no'; readonly others: 'position' | 'run_no' },
  common: number,
  targets: readonly number[],
): (target: number) => AnnotationSummary {
  const wanted = JSON.stringify(targets)
  const these = `${others} = ? and ${target} in (select value from json_each(?))`
  const marks = Map.groupBy(
    db
      .prepare(`select ${target} as target, kind, tag from run_marks where ${these} order by run_no, position, kind, tag`)
      .all(common, wanted)
      .map(row => MarkRow.parse(row)),
    mark => mark.target,
  )
  const notes = new Map(
    db
      .prepare(`select ${target} as target, count(*) as n from run_notes where ${these} group by run_no, position`)
      .all(common, wanted)
      .map(row => NoteCount.parse(row))
      .map(({ target, n }) => [target, n]),
  )
  return target => {
    const own = marks.get(target) ?? []
    return {
      bookmarked: own.some(mark => mark.kind === 'bookmark'),
      tags: own.filter(mark => mark.kind === 'tag').map(mark => mark.tag),
      notes: notes.get(target) ?? 0,
    }
  }
}

const author = { by_kind: z.enum(['person', 'key']), by_id: z.string(), by_name: z.string() }
const WholeMark = z.object({ position: z.int(), kind: z.enum(['bookmark', 'tag']), tag: z.string(), at: z.string(), ...author })
const WholeNote = z.object({ position: z.int(), text: z.string(), created_at: z.string(), changed_at: z.string().nullable(), ...author })

/** Every annotation of a run and its samples: the run's own first, then by position. Targets without any are left out. */
export function readAnnotations(db: Database, run: { readonly no: number; readonly id: string }): ExportedAnnotations[] {
  const marks = Map.groupBy(
    db
      .prepare('select position, kind, tag, at, by_kind, by_id, by_name from run_marks where run_no = ? order by position, kind, tag')
      .all(run.no)
      .map(row => WholeMark.parse(row)),
    mark => mark.position,
  )
  const notes = Map.groupBy(
    db
      .prepare('select position, text, created_at, changed_at, by_kind, by_id, by_name from run_notes where run_no = ? order by no')
      .all(run.no)
      .map(row => WholeNote.parse(row)),
    note => note.position,
  )
  const positions = [...new Set([...marks.keys(), ...notes.keys()])].toSorted((a, b) => a - b)
  return positions.map(position => {
    const own = marks.get(position) ?? []
    const bookmark = own.find(mark => mark.kind === 'bookmark')
    return {
      sample_id: position === ofRun ? null : sampleId(run.id, position),
      position: position === ofRun ? null : position,
      bookmark: bookmark ? { by: byOf(bookmark), at: bookmark.at } : null,
      tags: own.filter(mark => mark.kind === 'tag').map(mark => ({ tag: mark.tag, by: byOf(mark), at: mark.at })),
      notes: (notes.get(position) ?? []).map(note => ({
        note: note.text,
        by: byOf(note),
        created_at: note.created_at,
        changed_at: note.changed_at,
      })),
    }
  })
}

function byOf({ by_kind: kind, by_id: id, by_name: name }: { by_kind: 'person' | 'key'; by_id: string; by_name: string }) {
  return { kind, id, name }
}
