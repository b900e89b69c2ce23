import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** File to which this process and its threads write each statement that they prepare, as one line of JSON. */
export const notedFile = 'ASSAY_NOTED_STATEMENTS'

const { prepare } = Sqlite.prototype
const file = process.env[notedFile]
if (file !== undefined) note(file)

function note(path: string): void {
  const seen = new Set<string>()
  Sqlite.prototype.prepare = function noted(this: Sqlite.Database, ...args: Parameters<typeof prepare>) {
    const [sql] = args
    if (!seen.has(sql)) appendFileSync(path, `${JSON.stringify(sql)}\n`)
    seen.add(sql)
    return prepare.apply(this, args)
  } as typeof prepare // the same but for the note; its overloads cannot be repeated
}

/** What is prepared from here on, in this process and in the threads that it starts, until `end`. */
export function noteStatements(path: string): { read(): string[]; end(): void } {
  process.env[notedFile] = path
  appendFileSync(path, '')
  note(path)
  return {
    read: () => [
      ...new Set(
        readFileSync(path, 'utf8')
          .split('\n')
          .filter(line => line !== '')
          .map(line => String(JSON.parse(line))),
      ),
    ],
    end: () => {
      Sqlite.prototype.prepare = prepare
      delete process.env[notedFile]
      rmSync(path)
    },
  }
}
