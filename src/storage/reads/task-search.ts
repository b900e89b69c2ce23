import { z } from 'zod'
import type { Database } from '../database.ts'

/** The tokenizer of the index of tasks, see migration 0003: whatever is compared with it is cut in the same way. */
const tokenizer = `tokenize = 'porter unicode61 remove_diacritics 2'`

const Stems = z.array(z.object({ doc: z.int(), term: z.string() }))
const Ranked = z.array(z.object({ no: z.int(), score: z.number() }))
const Frequency = z.object({ doc: z.int() })
const TaskNo = z.object({ no: z.int() })
const Numbers = z.array(TaskNo)
const TaskRow = z.object({
  no: z.int(),
  version_no: z.int(),
  split: z.enum(['test', 'canonical']),
  position: z.int(),
  task_id: z.string(),
  preview: z.string(),
  input_characters: z.int(),
  choices: z.int().nullable(),
  capabilities: z.string(),
  depends_on: z.string(),
})
const Strings = z.array(z.string())

const columns = 'no, version_no, split, position, task_id, preview, input_characters, choices, capabilities, depends_on'

/** Full text search over tasks and given texts. Writes only temporary tables of its own connection. */
export function createTaskSearch(db: Database) {
  db.prepare(`create virtual table temp.words using fts5 (word, ${tokenizer})`).run()
  db.prepare('create virtual table temp.word_terms using fts5vocab (temp, words, instance)').run()
  db.prepare(`create virtual table temp.texts using fts5 (text, ${tokenizer})`).run()
  let filled: readonly string[] = []
  return {
    /** The stem of each word; a word that the tokenizer cuts keeps its first part. */
    stems: (words: readonly string[]): string[] => {
      db.prepare('delete from temp.words').run()
      const insert = db.prepare('insert into temp.words (rowid, word) values (?, ?)')
      for (const [i, word] of words.entries()) insert.run(i + 1, word)
      const terms = Stems.parse(db.prepare('select doc, term from temp.word_terms order by doc, offset desc').all())
      const stemOf = new Map(terms.map(({ doc, term }) => [doc - 1, term]))
      return words.map((word, i) => stemOf.get(i) ?? word)
    },
    rankTexts: (texts: readonly string[], words: readonly string[]): number[] => {
      if (texts !== filled) {
        db.prepare('delete from temp.texts').run()
        const insert = db.prepare('insert into temp.texts (rowid, text) values (?, ?)')
        for (const [i, text] of texts.entries()) insert.run(i + 1, text)
        filled = texts
      }
      if (words.length === 0) return texts.map(() => 0)
      const rows = Ranked.parse(
        db.prepare('select rowid - 1 as no, -bm25(texts) as score from temp.texts where texts match ?').all(anyOf(words)),
      )
      const scoreOf = new Map(rows.map(({ no, score }) => [no, score]))
      // A word that most texts hold has a weight just above 0 there; what holds it still fits better than what does not.
      return texts.map((_, i) => Math.max(0, scoreOf.get(i) ?? 0))
    },
    frequencies: (words: readonly string[], most: number): number[] => {
      const count = db.prepare('select count(*) as doc from (select 1 from task_search where task_search match ? limit ?)')
      return words.map(word => Frequency.parse(count.get(anyOf([word]), most)).doc)
    },
    holds: (word: string, versions: readonly number[]): boolean =>
      db
        .prepare(
          `select 1 from task_search s cross join tasks t on t.no = s.rowid
           where task_search match ? and t.version_no in (select value from json_each(?)) limit 1`,
        )
        .get(anyOf([word]), JSON.stringify(versions)) !== undefined,
    search: (words: readonly string[], versions: readonly number[], limit: number) =>
      Ranked.parse(
        db
          .prepare(
            `select s.rowid as no, -s.rank as score from task_search s join tasks t on t.no = s.rowid
             where task_search match ? and t.version_no in (select value from json_each(?)) order by s.rank limit ?`,
          )
          .all(anyOf(words), JSON.stringify(versions), limit),
      ),
    holders: (word: string, versions: readonly number[], step: number): number[] =>
      Numbers.parse(
        db
          .prepare(
            `select s.rowid as no from task_search s cross join tasks t on t.no = s.rowid
             where task_search match ? and s.rowid % ? = 0 and t.version_no in (select value from json_each(?)) order by s.rowid`,
          )
          .all(anyOf([word]), step, JSON.stringify(versions)),
      ).map(({ no }) => no),
    spread: (versionNo: number, count: number): number[] => {
      const total = db.first(db.sql.selectFrom('benchmark_versions').select('task_count').where('no', '=', versionNo))?.task_count ?? 0
      const select = db.prepare('select no from tasks where version_no = ? and position = ?')
      const taken = Math.min(count, total)
      return Array.from(
        { length: taken },
        (_, i) => TaskNo.safeParse(select.get(versionNo, Math.floor((i * total) / taken))).data?.no,
      ).filter(no => no !== undefined)
    },
    tasks: (numbers: readonly number[]) => {
      const select = db.prepare(`select ${columns} from tasks where no = ?`)
      return numbers.flatMap(no => toTask(select.get(no)))
    },
    tasksById: (versionNo: number, ids: readonly string[]) => {
      const select = db.prepare(`select ${columns} from tasks where version_no = ? and task_id = ?`)
      return [...new Set(ids)].flatMap(id => toTask(select.get(versionNo, id)))
    },
  }
}

/** Each word by itself, quoted, so that none is read as an operator. */
function anyOf(words: readonly string[]): string {
  return words.map(word => `"${word.replaceAll('"', '""')}"`).join(' OR ')
}

function toTask(row: unknown) {
  if (row === undefined) return []
  const {
    version_no: versionNo,
    task_id: taskId,
    input_characters: inputCharacters,
    capabilities,
    depends_on: dependsOn,
    ...task
  } = TaskRow.parse(row)
  const lists = { capabilities: Strings.parse(JSON.parse(capabilities)), dependsOn: Strings.parse(JSON.parse(dependsOn)) }
  return [{ ...task, ...lists, versionNo, taskId, inputCharacters }]
}
