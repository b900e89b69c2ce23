export type RecognizedEvidence = 'inspect' | 'lm_eval' | 'promptfoo' | 'junit' | 'sarif' | 'csv'

/**
 * The tool that wrote a file, by what the file begins with; null where nothing shows it. Names prove nothing.
 * @param head the first bytes as text, 64 KiB or less of a longer file
 */
export function recognizeEvidence(head: string): RecognizedEvidence | null {
  // Inspect's .eval files are the only archives that are read.
  if (head.startsWith('PK')) return 'inspect'
  const text = head.trimStart()
  if (/<testsuites?[\s/>]/.test(text)) return 'junit'
  if (!text.startsWith('{') && !text.startsWith('[')) return /^[^\n<,\t]*[,\t][^\n]*\n/.test(text) ? 'csv' : null
  const has = (...keys: readonly string[]) => keys.every(key => text.includes(`"${key}"`))
  if (/"version"\s*:\s*"2\.1\.0"/.test(text) && has('runs')) return 'sarif'
  if (has('doc_id')) return 'lm_eval'
  if (has('promptIdx') || has('testIdx') || (has('evalId', 'results') && has('prompts'))) return 'promptfoo'
  if (has('status', 'eval') && (has('samples') || has('task') || has('plan'))) return 'inspect'
  return has('results') && (has('versions') || has('n-shot') || has('configs') || has('config') || has('lm_eval_version'))
    ? 'lm_eval'
    : null
}
