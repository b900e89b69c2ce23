import { type Database, openDatabase } from '../../src/storage/database.ts'
import { statementsOf } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'

const at = '2026-11-20T09:30:00.000Z'

/** A database as version `version` of the schema left it, with a workspace, its people and a ledger that balances. */
export function makeOldDatabase(path: string, version: number): void {
  const db = openDatabase(path)
  try {
    db.transaction(() => {
      for (const { sql } of migrations.slice(0, version)) for (const statement of statementsOf(sql)) db.prepare(statement).run()
      db.pragma(`user_version = ${version}`)
      fill(db)
    })
  } finally {
    db.close()
  }
}

function fill(db: Database): void {
  db.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run('w', 'Kept', at)
  db.prepare('insert into people values (?, ?, ?)').run('p', 'Owner', at)
  db.prepare('insert into members values (?, ?, ?, ?)').run('w', 'p', 'owner', at)
  db.prepare(
    `insert into api_keys (id, workspace_id, name, token_hash, prefix, scopes, created_at) values ('k', 'w', 'local', 'h', 'asy_', '[]', ?)`,
  ).run(at)
  for (const kind of ['funding', 'budget'])
    db.prepare('insert into accounts (id, workspace_id, kind) values (?, ?, ?)').run(kind, 'w', kind)
  db.prepare(
    `insert into transfers (id, workspace_id, from_account, to_account, amount_microusd, kind, created_at) values ('t', 'w', 'funding', 'budget', 1000, 'allotment', ?)`,
  ).run(at)
}

/** What `fill` put there, as it is found now. */
export function kept(path: string): unknown {
  const db = openDatabase(path, { readonly: true })
  try {
    return {
      version: Number(db.prepare('pragma user_version').pluck().get()),
      pages: db.prepare('pragma integrity_check').pluck().all(),
      references: db.prepare('pragma foreign_key_check').all(),
      workspace: db.prepare('select name from workspaces').pluck().all(),
      owner: db.prepare('select role from members').pluck().all(),
      keys: db.prepare('select name from api_keys').pluck().all(),
      balances: db.prepare('select kind, balance_microusd as balance from accounts order by kind').all(),
      transfers: db.prepare('select id, amount_microusd as amount from transfers').all(),
    }
  } finally {
    db.close()
  }
}

export const asFilled = {
  pages: ['ok'],
  references: [],
  workspace: ['Kept'],
  owner: ['owner'],
  keys: ['local'],
  balances: [
    { kind: 'budget', balance: 1000 },
    { kind: 'funding', balance: -1000 },
  ],
  transfers: [{ id: 't', amount: 1000 }],
}
