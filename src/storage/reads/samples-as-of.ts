/** Columns that a part of a run can replace. */
const replaced = [
  'status',
  'attempts',
  'error_code',
  'error_message',
  'latency_ms',
  'input_tokens',
  'output_tokens',
  'finished_at',
  'cached',
  'source_no',
] as const

/**
 * Selects samples by position as a result version knew them: what a later part of the run replaced, as it was before. `s` is the
 * sample, `t` its task, `v` its version.
 *
 * Parameters: run, first position, last position, version, and the same four again; `tail` adds its own.
 * @param columns of `s`, `t` and `v`, beside the position and the replaced ones, which are there under their names
 * @param tail after the order by position
 */
export function samplesAsOf(columns: string, joins: string, tail: string): string {
  const selected = `s.position as position, ${columns}, ${replaced.map(name => `v.${name}`).join(', ')}`
  const where = 's.run_no = ? and s.position between ? and ?'
  const present = `select ${selected} from samples s join samples v on v.run_no = s.run_no and v.position = s.position ${joins} where ${where}
    and not exists (select 1 from superseded_samples o where o.run_no = s.run_no and o.position = s.position and o.last_version >= ?)`
  const before = `select ${selected} from superseded_samples v cross join samples s on s.run_no = v.run_no and s.position = v.position ${joins} where ${where.replaceAll('s.', 'v.')}
    and v.last_version = (select min(o.last_version) from superseded_samples o where o.run_no = v.run_no and o.position = v.position and o.last_version >= ?)`
  return `${present} union all ${before} order by position ${tail}`
}

/** The parameters of `samplesAsOf` but for its tail's. */
export function asOfParameters(runNo: number, from: number, to: number, version: number): number[] {
  return [runNo, from, to, version, runNo, from, to, version]
}
