import { unpackedName } from '../../../lib/file-name.ts'
import type { AnswerFormat } from '../../../contract/answers/answers.schemas.ts'
import { isToolResults } from './tools/read-tool-results.ts'

/** Bytes that are looked at. */
export const headBytes = 65_536

/**
 * The format of files by their names and first bytes; null where neither tells.
 * @param isTable whether a profile was named, so that the files hold outputs for it
 */
export function detectFormat(
  files: readonly { readonly name: string; readonly head: string; readonly end: string }[],
  isTable: boolean,
): AnswerFormat | null {
  const names = files.map(({ name }) => unpackedName((name.split('/').at(-1) ?? '').toLowerCase()))
  const [name = ''] = names
  const [head = ''] = files.map(file => file.head)
  if (isTable) {
    if (name.endsWith('.jsonl') || name.endsWith('.ndjson'))
      return /"task_id"\s*:[^\n]*"(?:solution|completion)"\s*:/.test(head) ? 'evalplus_samples' : 'jsonl'
    if (name.endsWith('.json')) return 'json'
    if (/\.(?:csv|tsv|xlsx)$/.test(name)) return 'csv'
    return name.endsWith('.parquet') ? 'parquet' : null
  }
  if (names.some(one => one.endsWith('.eval'))) return 'inspect_log'
  for (const { head: first, end } of files) {
    // Archives name their files in plain text: a zip at its end, a tar before each.
    const listed = `${first}\n${end}`
    if (!isArchive(first)) continue
    if (/samples_[\w.+ -]{1,200}\.jsonl/.test(listed)) return 'lm_eval_samples'
    if (/header\.json|_journal\/start\.json|\.eval(?!\w)/.test(listed)) return 'inspect_log'
    if (/(?:scenario_state|per_instance_stats|eval_results|results_[\w.+-]{1,100})\.json|details_[\w.|+:, -]{1,200}\.parquet/.test(listed))
      return 'tool_results'
  }
  // Its samples may hold words of any other tool.
  if (/^\s*\{\s*"version"\s*:\s*\d[^{]*"eval"\s*:\s*\{/.test(head)) return 'inspect_log'
  if (names.some(one => /^samples_.*\.jsonl$/.test(one))) return 'lm_eval_samples'
  if (/"doc_id"\s*:/.test(head) && /"(?:filtered_resps|resps|arguments)"\s*:/.test(head)) return 'lm_eval_samples'
  if (/"results"\s*:\s*\{\s*"version"\s*:\s*\d/.test(head)) return 'promptfoo_results'
  if (/^\s*\{\s*"version"\s*:\s*\d\s*,\s*"results"\s*:\s*\[\s*\{\s*"prompt"\s*:/.test(head)) return 'promptfoo_results'
  if (/"evalId"\s*:/.test(head) || (/"promptIdx"\s*:/.test(head) && /"testCase"\s*:/.test(head))) return 'promptfoo_results'
  if (/"question_id"\s*:/.test(head) && (/"graded_list"\s*:/.test(head) || names.some(one => one.endsWith('_eval_all.json'))))
    return 'livecodebench_results'
  if (isToolResults(files.map((file, i) => ({ name: names[i] ?? '', head: file.head })))) return 'tool_results'
  return /"eval"\s*:\s*\{/.test(head) ? 'inspect_log' : null
}

function isArchive(head: string): boolean {
  return head.startsWith('PK\u0003\u0004') || head.slice(257, 262) === 'ustar'
}
