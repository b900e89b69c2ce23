import { AnswerImport, AnswerImportForm } from '../../contract/answers/answers.schemas.ts'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { sampleId } from '../../storage/sample-id.ts'
import { transition } from '../../storage/transition.ts'

const StoredRecord = AnswerImport.omit({ status: true })
export type AnswerImportFacts = z.infer<typeof StoredRecord>

export interface StoredAnswerImport {
  readonly workspaceId: string
  readonly principalId: string
  readonly status: AnswerImport['status']
  readonly form: AnswerImportForm
  readonly record: AnswerImportFacts
}

export function insertAnswerImport(db: Database, row: Omit<StoredAnswerImport, 'status'>): void {
  db.run(
    db.sql.insertInto('answer_imports').values({
      id: row.record.id,
      workspace_id: row.workspaceId,
      status: importMachine.initial,
      job_id: row.record.job_id,
      principal_id: row.principalId,
      form: JSON.stringify(row.form),
      record: JSON.stringify(row.record),
      created_at: row.record.created_at,
    }),
  )
}

export function findAnswerImport(db: Database, id: string): StoredAnswerImport | null {
  const row = db.first(db.sql.selectFrom('answer_imports').selectAll().where('id', '=', id))
  if (!row) return null
  return {
    workspaceId: row.workspace_id,
    principalId: row.principal_id,
    status: row.status,
    form: AnswerImportForm.parse(JSON.parse(row.form)),
    record: StoredRecord.parse(JSON.parse(row.record)),
  }
}

export function listAnswerImports(db: Database, workspaceId: string, { cursor, limit }: PageQuery) {
  const select = db.sql
    .selectFrom('answer_imports')
    // An import may have thousands of figures, and no list shows them.
    .select(['id', 'status', sql<string>`json_remove(record, '$.figures')`.as('record')])
    .where('workspace_id', '=', workspaceId)
  return newestFirst(
    db,
    select,
    'id',
    { endpoint: 'listAnswerImports', filters: { workspaceId } },
    { cursor, limit },
    (row): AnswerImport => ({ ...StoredRecord.parse(JSON.parse(row.record)), status: row.status }),
  )
}

export function saveAnswerImport(db: Database, record: AnswerImportFacts): void {
  db.run(
    db.sql
      .updateTable('answer_imports')
      .set({ job_id: record.job_id, record: JSON.stringify(record) })
      .where('id', '=', record.id),
  )
}

/** Ends an import and keeps what became of it; in the caller's transaction. */
export function endAnswerImport(db: Database, event: keyof typeof importMachine.events, record: AnswerImportFacts, now: string): void {
  saveAnswerImport(db, { ...record, finished_at: now })
  transition(db, importMachine, { table: 'answer_imports', column: 'status' }, record.id, event, now)
}

const Compared = z.object({
  position: z.int(),
  task_id: z.string(),
  epoch: z.int(),
  log_value: z.number(),
  value: z.number().nullable(),
  explanation: z.string().nullable(),
})

export interface ComparedScore {
  readonly position: number
  readonly taskId: string
  readonly epoch: number
  readonly sampleId: string
  readonly logValue: number
  readonly value: number | null
  readonly explanation: string
}

/** A log's value and ours for the next samples that the log has one for. */
export function compareLogScores(
  db: Database,
  { run, name, metricNo }: { readonly run: { readonly no: number; readonly id: string }; readonly name: string; readonly metricNo: number },
  after: number,
  limit: number,
): ComparedScore[] {
  const select = db.prepare(
    `select l.position, t.task_id, s.epoch, l.value as log_value, c.value, c.explanation from log_scores l
     join samples s on s.run_no = l.run_no and s.position = l.position join tasks t on t.no = s.task_no
     left join scores c on c.run_no = l.run_no and c.position = l.position and c.metric_no = ? and c.version = 1
     where l.run_no = ? and l.position > ? and l.name = ? order by l.position limit ?`,
  )
  return select.all(metricNo, run.no, after, name, limit).map(row => {
    const { position, task_id, epoch, log_value, value, explanation } = Compared.parse(row)
    const said = explanation ?? 'The sample has no score.'
    return { position, taskId: task_id, epoch, sampleId: sampleId(run.id, position), logValue: log_value, value, explanation: said }
  })
}

const MeanRow = z.object({ n: z.int(), mean: z.number().nullable() })

/** Mean of what a log says, where nothing here compares with it. */
export function meanOfLog(db: Database, runNo: number, name: string): { readonly n: number; readonly mean: number | null } {
  const row = db.prepare('select count(*) as n, avg(value) as mean from log_scores where run_no = ? and name = ?').get(runNo, name)
  return MeanRow.parse(row)
}
