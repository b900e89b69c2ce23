import { z } from 'zod'
import { openDatabase, type Database } from '../../storage/database.ts'

const Names = z.array(z.object({ name: z.string() }))

/**
 * Who may get in stays as it is, whatever data are gone back to: sessions are those of now, keys that were revoked or rolled since stay
 * so, and nobody gets a membership or a role back that was taken away.
 */
export function carryAccess(successorPath: string, presentPath: string): void {
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
      for (const column of sharedColumns(db, 'api_keys').filter(name => name === 'revoked_at' || name === 'stops_at'))
        db.prepare(
          `update api_keys set ${column} = k.${column} from present.api_keys k where k.id = api_keys.id and k.${column} is not null`,
        ).run()
      db.prepare(
        `delete from members where not exists (select 1 from present.members m
         where m.workspace_id = members.workspace_id and m.person_id = members.person_id)`,
      ).run()
      db.prepare(
        `update members set role = m.role from present.members m where m.workspace_id = members.workspace_id and m.person_id = members.person_id`,
      ).run()
      for (const column of sharedColumns(db, 'installation').filter(name => name === 'workspace_creation'))
        db.prepare(`update installation set ${column} = (select ${column} from present.installation)`).run()
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
