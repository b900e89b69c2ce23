import { z } from 'zod'
import { matchesText, type TextQuery } from '../../lib/text-query.ts'
import type { Database } from '../database.ts'
import { decodeTask, type StoredTask } from '../task-content.ts'
import { createTranscriptReader, TranscriptPlace } from './transcripts.ts'

const usualChunk = 1000

const TextRow = TranscriptPlace.extend({
  position: z.int(),
  task_no: z.int(),
  content: z.instanceof(Uint8Array),
  error_message: z.string().nullable(),
  run_no: z.int().nullable(),
})
const ScoreText = z.object({ position: z.int(), text: z.string() })

/** The part of a sample that is searched. */
export interface SearchedTexts {
  readonly position: number
  /** Task id, input fields and choices, targets, output, reasoning, extracted answers, explanations of scores, error message. */
  readonly fields: readonly string[]
}

/**
 * Samples of a run by position, a chunk in memory at a time.
 * @param beyond the position after which it begins
 */
export function* readSearchedTexts(db: Database, runNo: number, beyond = -1, chunk = usualChunk): Generator<SearchedTexts> {
  const transcripts = createTranscriptReader(db)
  const samples = db.prepare(
    `select s.position, s.task_no, t.content, s.error_message, a.run_no, a.transcript, a.block_no, a.block_offset
     from samples s join tasks t on t.no = s.task_no
     left join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts
     where s.run_no = ? and s.position > ? order by s.position limit ?`,
  )
  const scores = db.prepare(
    `select position, coalesce(answer, '') || char(10) || explanation as text from scores c where run_no = ? and position between ? and ?
     and version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no)`,
  )
  let task: { readonly no: number; readonly fields: readonly string[] } = { no: -1, fields: [] }
  for (let after = beyond; ; ) {
    const rows = samples.all(runNo, after, chunk).map(row => TextRow.parse(row))
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return
    const scored = Map.groupBy(
      scores.all(runNo, first.position, last.position).map(row => ScoreText.parse(row)),
      ({ position }) => position,
    )
    for (const { position, task_no, content, error_message, run_no, ...place } of rows) {
      // Epochs of one task are neighbors.
      if (task.no !== task_no) task = { no: task_no, fields: textsOfTask(decodeTask(content)) }
      const wire = run_no === null ? null : transcripts.read({ run_no, ...place })
      const said = [wire?.output, wire?.reasoning, error_message].filter(text => text !== null && text !== undefined)
      yield { position, fields: [...task.fields, ...said, ...(scored.get(position) ?? []).map(({ text }) => text)] }
    }
    after = last.position
  }
}

function textsOfTask({ id, fields, choices, targets }: StoredTask): string[] {
  return [id, ...Object.values(fields), ...(choices ?? []), ...targets]
}

const Note = z.object({ position: z.int(), text: z.string() })

/** Notes on samples of a run, by position. Notes change at any time, so no index has them. */
export function readSampleNotes(db: Database, runNo: number): Map<number, string[]> {
  const notes = db.prepare('select position, text from run_notes where run_no = ? and position >= 0').all(runNo)
  const byPosition = Map.groupBy(
    notes.map(row => Note.parse(row)),
    ({ position }) => position,
  )
  return new Map([...byPosition].map(([position, own]) => [position, own.map(({ text }) => text)]))
}

/** Positions of the samples that match, ascending, by reading every sample. */
export function scanSamples(db: Database, runNo: number, query: TextQuery): number[] {
  const notes = readSampleNotes(db, runNo)
  const found: number[] = []
  for (const { position, fields } of readSearchedTexts(db, runNo))
    if (matchesText(query, [...fields, ...(notes.get(position) ?? [])])) found.push(position)
  return found
}

/** Which of the samples with notes match, by reading them. */
export function scanNotedSamples(db: Database, runNo: number, query: TextQuery, notes: ReadonlyMap<number, readonly string[]>): number[] {
  return [...notes].flatMap(([position, texts]) => {
    const [sample] = readSearchedTexts(db, runNo, position - 1, 1)
    return sample?.position === position && matchesText(query, [...sample.fields, ...texts]) ? [position] : []
  })
}
