import { z } from 'zod'
import type { AnnotationSummary } from '../../contract/index.ts'
import type { Database } from '../database.ts'

/** Position of annotations of the run itself. */
export const ofRun = -1

const MarkRow = z.object({ position: z.int(), kind: z.enum(['bookmark', 'tag']), tag: z.string() })
const NoteCount = z.object({ position: z.int(), n: z.int() })

/** What lists show of the annotations at these positions of a run. */
export function readAnnotationSummaries(
  db: Database,
  runNo: number,
  positions: readonly number[],
): (position: number) => AnnotationSummary {
  const wanted = JSON.stringify(positions)
  const marks = Map.groupBy(
    db
      .prepare(
        'select position, kind, tag from run_marks where run_no = ? and position in (select value from json_each(?)) order by position, kind, tag',
      )
      .all(runNo, wanted)
      .map(row => MarkRow.parse(row)),
    mark => mark.position,
  )
  const notes = new Map(
    db
      .prepare(
        'select position, count(*) as n from run_notes where run_no = ? and position in (select value from json_each(?)) group by position',
      )
      .all(runNo, wanted)
      .map(row => NoteCount.parse(row))
      .map(({ position, n }) => [position, n]),
  )
  return position => {
    const own = marks.get(position) ?? []
    return {
      bookmarked: own.some(mark => mark.kind === 'bookmark'),
      tags: own.filter(mark => mark.kind === 'tag').map(mark => mark.tag),
      notes: notes.get(position) ?? 0,
    }
  }
}
