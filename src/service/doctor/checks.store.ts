import { z } from 'zod'
import type { Database } from '../../storage/database.ts'

export interface Check {
  readonly name: string
  /** One sentence for each thing that is wrong; none when all is well. */
  faults(db: Database): string[]
}

const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
type Row = z.infer<typeof Row>

/** A check that a query answers with the rows that are wrong. */
function none(name: string, sql: string, describe: (row: Row) => string): Check {
  return {
    name,
    faults: db =>
      db
        .prepare(sql)
        .all()
        .map(row => describe(Row.parse(row))),
  }
}

/** What must hold of every database, whatever happened to the process that wrote it. */
export const checks: readonly Check[] = [
  {
    name: 'pages and indexes are sound',
    faults: db =>
      rowsOf(db.pragma('integrity_check')).flatMap(row => (row['integrity_check'] === 'ok' ? [] : [String(row['integrity_check'])])),
  },
  {
    name: 'references lead somewhere',
    faults: db =>
      rowsOf(db.pragma('foreign_key_check')).map(row => `row ${row['rowid']} of ${row['table']} names what is missing in ${row['parent']}`),
  },
  none(
    'accounts hold what was transferred',
    `select a.id, a.kind, a.balance_microusd as balance,
     coalesce((select sum(amount_microusd) from transfers where to_account = a.id), 0)
     - coalesce((select sum(amount_microusd) from transfers where from_account = a.id), 0) as moved
     from accounts a group by a.id having balance <> moved`,
    row => `the account ${row['kind']} (${row['id']}) says ${row['balance']} and its transfers make ${row['moved']} micro-USD`,
  ),
  none(
    'the accounts of a workspace add up to 0',
    'select workspace_id, sum(balance_microusd) as total from accounts group by workspace_id having total <> 0',
    row => `those of the workspace ${row['workspace_id']} add up to ${row['total']} micro-USD`,
  ),
  none(
    'what is held is what open runs hold',
    `select a.workspace_id, a.balance_microusd as held, coalesce((select sum(r.held_microusd - r.charged_microusd) from runs r
     where r.workspace_id = a.workspace_id and r.accounting_state in ('held', 'metering')), 0)
     + coalesce((select sum(b.held_microusd - b.charged_microusd) from judge_budgets b
     where b.workspace_id = a.workspace_id and b.owner_kind <> 'run' and b.is_open = 1), 0) as expected
     from accounts a where a.kind = 'held' and held <> expected`,
    row => `the workspace ${row['workspace_id']} holds ${row['held']} and its open runs ${row['expected']} micro-USD`,
  ),
  none(
    'judges are charged what their calls cost',
    `select b.owner_kind as kind, b.owner_id as id, b.charged_microusd as charged,
     coalesce((select sum(j.charged_microusd) from judge_calls j where j.owner_kind = b.owner_kind and j.owner_id = b.owner_id), 0) as calls
     from judge_budgets b where b.owner_kind <> 'run' and charged <> calls`,
    row => `the ${row['kind']} ${row['id']} is charged ${row['charged']} and its judge calls ${row['calls']} micro-USD`,
  ),
  none(
    'runs are charged what their attempts cost',
    `select r.id, r.charged_microusd as charged, coalesce((select sum(a.charged_microusd) from attempts a where a.run_no = r.no), 0)
     + coalesce((select sum(j.charged_microusd) from judge_calls j where j.owner_kind = 'run' and j.owner_id = r.id), 0) as attempts,
     coalesce((select sum(t.amount_microusd) from transfers t where t.run_id = r.id and t.kind = 'charge'), 0) as posted
     from runs r where (r.deleted_at is null and charged <> attempts) or charged <> posted`,
    row => `the run ${row['id']} is charged ${row['charged']}, its attempts ${row['attempts']}, the ledger ${row['posted']} micro-USD`,
  ),
  none(
    'purchases are in the ledger',
    `select p.id, p.status, case when p.paid_at is null then 0 else p.amount_microusd end - p.returned_microusd as due,
     coalesce((select sum(case t.kind when 'allotment' then t.amount_microusd else -t.amount_microusd end) from transfers t where t.purchase_id = p.id), 0) as posted
     from purchases p where due <> posted`,
    row => `the purchase ${row['id']} (${row['status']}) adds ${row['due']} and the ledger says ${row['posted']} micro-USD`,
  ),
  none(
    'runs count their samples',
    `with counted as (select run_no, status, count(*) as n from samples group by run_no, status)
     select r.id, coalesce(c.status, k.status) as status, coalesce(k.n, 0) as kept, coalesce(c.n, 0) as counted
     from counted c full join (select * from run_counts where n > 0) k on k.run_no = c.run_no and k.status = c.status
     join runs r on r.no = coalesce(c.run_no, k.run_no) where r.deleted_at is null and kept <> counted`,
    row => `the run ${row['id']} counts ${row['kept']} samples as ${row['status']} and has ${row['counted']}`,
  ),
  none(
    'runs have every sample that was frozen',
    'select r.id, r.frozen, (select count(*) from samples s where s.run_no = r.no) as n from runs r where r.deleted_at is null and r.frozen <> n',
    row => `the run ${row['id']} froze ${row['frozen']} samples and has ${row['n']}`,
  ),
  none(
    'scored samples have scores',
    `select r.id, s.position from samples s join runs r on r.no = s.run_no where r.deleted_at is null and s.status = 'scored'
     and not exists (select 1 from scores c where c.run_no = s.run_no and c.position = s.position)`,
    row => `sample ${row['position']} of the run ${row['id']} is scored and has no score`,
  ),
  none(
    'runs that ended are settled, with no sample left open',
    `select r.id, r.status, r.accounting_state as accounting, (select count(*) from samples s where s.run_no = r.no
     and s.status in ('pending', 'calling', 'answered')) as open
     from runs r where r.status in ('complete', 'partial', 'failed', 'cancelled') and (accounting <> 'settled' or open > 0 or r.held_microusd <> 0)`,
    row => `the run ${row['id']} is ${row['status']}, its accounting ${row['accounting']}, and ${row['open']} of its samples are open`,
  ),
]

export function schemaVersion(db: Database): number {
  return Number(rowsOf(db.pragma('user_version'))[0]?.['user_version'])
}

/** Runs `work` on one state of the database, whatever is written meanwhile. */
export function onSnapshot<Result>(db: Database, work: () => Result): Result {
  db.prepare('begin').run()
  try {
    return work()
  } finally {
    db.prepare('rollback').run()
  }
}

const Rows = z.array(Row)

function rowsOf(answer: unknown): Row[] {
  return Rows.parse(answer)
}
