import { z } from 'zod'
import type { VersionChange, VersionDiff } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Database } from '../database.ts'
import { frozenExamplesOf } from './frozen-examples.ts'

const Counts = z.object({ added: z.int(), revised: z.int(), relabeled: z.int(), unchanged: z.int() })
const Removed = z.object({ removed: z.int() })
const Changes = z.array(z.object({ no: z.int(), change: z.enum(['added', 'removed', 'revised', 'relabeled']) }))

export interface DiffQuestion {
  readonly version: number
  readonly against: number
  /** Example numbers after this one. */
  readonly after: number
  readonly limit: number
}

export interface DiffAnswer {
  readonly counts: VersionDiff['counts']
  /** At most `limit + 1`. */
  readonly rows: readonly (VersionChange & { readonly no: number })[]
}

const now = 'dataset_version_examples b left join dataset_version_examples a on a.version_no = :against and a.example_no = b.example_no'
const gone = 'dataset_version_examples a left join dataset_version_examples b on b.version_no = :version and b.example_no = a.example_no'

/** What changed from one version of a dataset to another, by example. */
export function readVersionDiff(db: Database, { version, against, after, limit }: DiffQuestion): DiffAnswer {
  const versions = { version, against }
  const counts = Counts.parse(
    db
      .prepare(
        `select coalesce(sum(a.example_no is null), 0) as added, coalesce(sum(a.revision <> b.revision), 0) as revised,
         coalesce(sum(a.revision = b.revision and a.label is not b.label), 0) as relabeled,
         coalesce(sum(a.revision = b.revision and a.label is b.label), 0) as unchanged from ${now} where b.version_no = :version`,
      )
      .get(versions),
  )
  const { removed } = Removed.parse(
    db.prepare(`select count(*) as removed from ${gone} where a.version_no = :against and b.example_no is null`).get(versions),
  )
  const changes = Changes.parse(
    db
      .prepare(
        `select b.example_no as no, case when a.example_no is null then 'added' when a.revision <> b.revision then 'revised' else 'relabeled' end as change
         from ${now} where b.version_no = :version and b.example_no > :after
         and (a.example_no is null or a.revision <> b.revision or a.label is not b.label)
         union all
         select a.example_no as no, 'removed' as change from ${gone} where a.version_no = :against and a.example_no > :after and b.example_no is null
         order by no limit :limit`,
      )
      .all({ ...versions, after, limit: limit + 1 }),
  )
  const numbers = changes.map(({ no }) => no)
  const before = frozenExamplesOf(db, against, numbers)
  const current = frozenExamplesOf(db, version, numbers)
  const rows = changes.map(({ no, change }) => {
    const [was, is] = [before.get(no) ?? null, current.get(no) ?? null]
    return { no, change, example_id: (is ?? was)?.example_id ?? '', before: was, after: is }
  })
  return { counts: { ...counts, removed }, rows }
}
