import { z } from 'zod'
import { openDatabase, type Database } from '../../storage/database.ts'
import { carryEnds, carryLimits, carryTimes } from './carry-ends.store.ts'
import { carrySpending } from './carry-spending.store.ts'

const Names = z.array(z.object({ name: z.string() }))

/** What a key may do, for how long and at whose cost: of now, whatever the file says. */
const powersOfKeys = [
  'workspace_id',
  'token_hash',
  'prefix',
  'scopes',
  'ceiling_microusd',
  'provider_ceiling_microusd',
  'expires_at',
  'stops_at',
  'revoked_at',
  'meter_id',
  'worker_labels',
]
/** Tables with secrets: the columns they are stored for, those that describe them, and what is left where the present database lacks them. */
const sealed = [
  {
    table: 'connections',
    of: ['id', 'workspace_id', 'base_url', 'secret_origin'],
    carried: ['secret', 'has_api_key', 'header_names'],
    without: "secret = null, secret_origin = null, has_api_key = 0, header_names = '[]'",
  },
  {
    table: 'trace_integrations',
    of: ['id', 'workspace_id', 'base_url', 'secret_origin'],
    carried: ['secret', 'credential_hint'],
    without: 'secret = null, secret_origin = null, credential_hint = null',
  },
  { table: 'remote_scorers', of: ['id', 'workspace_id', 'url'], carried: ['secret', 'old_secret_until', 'header_names'], without: null },
  { table: 'webhooks', of: ['id', 'workspace_id', 'url'], carried: ['secret', 'old_secret_until'], without: null },
  { table: 'release_keys', of: ['workspace_id', 'public_key'], carried: ['secret'], without: null },
] as const

/**
 * Who may get in and what they may spend stays as it is, whatever data are gone back to: sessions are those of now, keys have the powers
 * and limits of now, memberships and roles that were taken away do not come back, and what the present database lacks lets in no one. A
 * secret is that of now and goes back only to the address that it is kept for now: the file may have been changed to send it elsewhere.
 */
export function carryAccess(successorPath: string, presentPath: string, now: string): void {
  const db = openDatabase(successorPath)
  try {
    // Those of then let in whoever still has one, also where the present database cannot be read.
    db.prepare('delete from pairing_codes').run()
    db.prepare('attach database ? as present').run(presentPath)
    db.transaction(() => {
      // The backup may be of an older version, with fewer columns.
      const sessions = sharedColumns(db, 'sessions').join(', ')
      db.prepare('delete from sessions').run()
      db.prepare(
        `insert into sessions (${sessions}) select ${sessions} from present.sessions where person_id in (select id from people)`,
      ).run()
      const powers = sharedColumns(db, 'api_keys').filter(name => powersOfKeys.includes(name))
      const carried = powers.map(column => `${column} = k.${column}`).join(', ')
      db.prepare(`update api_keys set ${carried} from present.api_keys k where k.id = api_keys.id`).run()
      db.prepare('update api_keys set revoked_at = coalesce(revoked_at, ?) where id not in (select id from present.api_keys)').run(now)
      for (const { table, of, carried: kept, without } of sealed) {
        if (![...of, ...kept].every(name => sharedColumns(db, table).includes(name))) continue
        const same = of.map(column => `p.${column} = ${table}.${column}`).join(' and ')
        if (without !== null)
          db.prepare(
            `update ${table} set ${without} where secret is not null and not exists (select 1 from present.${table} p where p.secret is not null and ${same})`,
          ).run()
        const values = kept.map(column => `${column} = p.${column}`).join(', ')
        db.prepare(`update ${table} set ${values} from present.${table} p where ${table}.secret is not null and ${same}`).run()
      }
      db.prepare(
        `delete from members where not exists (select 1 from present.members m
         where m.workspace_id = members.workspace_id and m.person_id = members.person_id)`,
      ).run()
      db.prepare(
        `update members set role = m.role from present.members m where m.workspace_id = members.workspace_id and m.person_id = members.person_id`,
      ).run()
      for (const column of sharedColumns(db, 'installation').filter(name => name === 'workspace_creation'))
        db.prepare(`update installation set ${column} = (select ${column} from present.installation)`).run()
      carryEnds(db, now, table => sharedColumns(db, table))
      carryTimes(db, table => sharedColumns(db, table))
      carryLimits(db, table => sharedColumns(db, table))
      carrySpending(db)
    })
  } finally {
    db.close()
  }
}

function sharedColumns(db: Database, table: string): string[] {
  const rows = db
    .prepare(`select name from pragma_table_info(?, 'main') where name in (select name from pragma_table_info(?, 'present'))`)
    .all(table, table)
  return Names.parse(rows).map(({ name }) => name)
}
