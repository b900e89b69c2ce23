import { z } from 'zod'
import type { SampleGroup } from '../../contract/runs/samples.schemas.ts'
import { matchesLeniently } from '../../lib/lenient-match.ts'
import { hasAnswer } from '../../lib/no-answer.ts'
import { refuses } from '../../lib/refuses.ts'
import type { Database } from '../database.ts'
import { unpackNotices } from '../runs/attempt-notices.ts'
import { decodeTask } from '../task-content.ts'

const Row = z.object({
  position: z.int(),
  task_no: z.int(),
  content: z.instanceof(Uint8Array),
  value: z.number().nullable(),
  class: z.string().nullable(),
  code: z.string().nullable(),
  answer: z.string().nullable(),
  notices: z.string().nullable(),
  finish_reason: z.string().nullable(),
  is_empty: z.int().nullable(),
  output: z.string().nullable(),
})

/** A sample without a point, and why. */
export interface GroupedSample {
  readonly position: number
  readonly group: SampleGroup
  /** Of unscored samples: the reason, where one is known. */
  readonly code: string | null
}

/**
 * Scored samples that are not correct, by position, each in the first group that applies.
 * @param primaries number of the primary metric of each profile
 */
export function* readSampleGroups(db: Database, runNo: number, primaries: readonly number[]): Generator<GroupedSample> {
  const rows = db.prepare(
    `select s.position, s.task_no, t.content, s.value, c.class, c.code, c.answer, a.notices, a.finish_reason,
       (trim(a.output_preview, char(9, 10, 13, 32)) = '') as is_empty, a.output_preview as output
     from samples s join tasks t on t.no = s.task_no
     left join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts
     left join scores c on c.run_no = s.run_no and c.position = s.position and c.metric_no = json_extract(?, '$[' || s.profile_no || ']')
       and c.version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no)
     where s.run_no = ? and s.status = 'scored' and (s.value is null or s.value < 1) order by s.position`,
  )
  let task: { readonly no: number; readonly targets: readonly string[] } = { no: -1, targets: [] }
  for (const stored of rows.iterate(JSON.stringify(primaries), runNo)) {
    const { position, task_no, content, ...sample } = Row.parse(stored)
    // Epochs of one task are neighbors.
    if (task.no !== task_no) task = { no: task_no, targets: decodeTask(content).targets }
    const group = groupOf(sample, task.targets)
    yield { position, group, code: group === 'unscored' ? sample.code : null }
  }
}

/** Exclusive: the first that applies, what ended the answer before what it says. */
export function groupOf(sample: Omit<z.infer<typeof Row>, 'position' | 'task_no' | 'content'>, targets: readonly string[]): SampleGroup {
  const { value, answer } = sample
  const notices = unpackNotices(sample)
  if (sample.class === 'refused' || notices.includes('answer_filtered')) return 'refused'
  if (notices.includes('answer_cut_off') || notices.includes('answer_missing')) return 'cut_off'
  if (value === null) return 'unscored'
  if (value === 0 && refuses(sample.output ?? '')) return 'refused'
  if (!hasAnswer(answer)) return 'no_answer'
  if (targets.some(target => matchesLeniently(answer, target))) return 'other_form'
  return value > 0 ? 'partial' : 'wrong'
}
