import { z } from 'zod'
import type { AnnotationSummary } from '../../contract/index.ts'
import type { Database } from '../database.ts'

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
