import type { Generated } from 'kysely'

interface Author {
  by_kind: 'person' | 'key'
  /** Of the person, whatever the session; or of the key. */
  by_id: string
  by_name: string
}

/** Bookmarks and tags of runs and samples. */
export interface RunMarksTable extends Author {
  run_no: number
  /** −1: the run itself. */
  position: number
  kind: 'bookmark' | 'tag'
  /** Empty for a bookmark. */
  tag: string
  at: string
}

export interface RunNotesTable extends Author {
  no: Generated<number>
  id: string
  run_no: number
  /** −1: of the run itself. */
  position: number
  text: string
  created_at: string
  /** Null as long as it was not edited. */
  changed_at: string | null
}
