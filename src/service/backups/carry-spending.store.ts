import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { carriedSpending } from '../../storage/migrations/0396-carried-spending.ts'

const Names = z.array(z.string())

type Schema = 'main' | 'present'

/** The key whose limits count it: keys that were rolled, also since the backup, share one. */
const meterOf = (row: string) => {
  const known = (schema: Schema) => `(select coalesce(k.meter_id, k.id) from ${schema}.api_keys k where k.id = ${row}.principal_id)`
  return `coalesce(${known('present')}, ${known('main')}, ${row}.principal_id)`
}

/** Who spent what, in micro-USD. A backup of an earlier version lacks the column: then the table was not there, or counted nothing. */
const spending: readonly { readonly column: string; readonly table: string; rows(schema: Schema): string }[] = [
  {
    table: 'runs',
    column: 'billed_microusd',
    rows: schema =>
      `select ${meterOf('r')} as owner_id, '' as month, charged_microusd as spent, billed_microusd as billed from ${schema}.runs r`,
  },
  {
    table: 'judge_budgets',
    column: 'billed_microusd',
    rows: schema =>
      `select ${meterOf('b')}, '', charged_microusd, billed_microusd from ${schema}.judge_budgets b where owner_kind <> 'run'`,
  },
  {
    table: 'schedule_occurrences',
    column: 'spent_microusd',
    rows: schema =>
      `select s.id, o.month, o.spent_microusd, 0 from ${schema}.schedule_occurrences o join ${schema}.schedules s on s.no = o.schedule_no
       where o.month is not null`,
  },
  {
    table: 'tune_occurrences',
    column: 'billed_microusd',
    rows: schema =>
      `select m.id, o.month, o.spent_microusd, o.billed_microusd from ${schema}.tune_occurrences o join ${schema}.tune_monitors m on m.no = o.monitor_no
       where o.month is not null`,
  },
]
const carried = {
  table: 'carried_spending',
  column: 'billed_microusd',
  rows: () => 'select owner_id, month, spent_microusd, billed_microusd from present.carried_spending',
}

/**
 * What was spent since the backup counts against the limits of now, whichever runs are gone back to. In a transaction, with the present
 * database attached.
 */
export function carrySpending(db: Database): void {
  db.prepare(carriedSpending).run()
  const has = (schema: Schema, table: string, column: string) =>
    Names.parse(db.prepare('select name from pragma_table_info(?, ?)').pluck().all(table, schema)).includes(column)
  const totals = (schema: Schema, sources: typeof spending) => {
    const rows = sources.filter(({ table, column }) => has(schema, table, column)).map(source => source.rows(schema))
    return `select owner_id, month, sum(spent) as spent, sum(billed) as billed from (${rows.join(' union all ')}) group by owner_id, month`
  }
  db.prepare('delete from main.carried_spending').run()
  db.prepare(
    `insert into main.carried_spending (owner_id, month, spent_microusd, billed_microusd)
     select n.owner_id, n.month, max(n.spent - coalesce(b.spent, 0), 0), max(n.billed - coalesce(b.billed, 0), 0)
     from (${totals('present', [...spending, carried])}) n left join (${totals('main', spending)}) b using (owner_id, month)
     where n.spent > coalesce(b.spent, 0) or n.billed > coalesce(b.billed, 0)`,
  ).run()
}
