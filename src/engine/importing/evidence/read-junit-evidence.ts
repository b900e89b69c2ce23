import { SaxesParser } from 'saxes'
import { EvidenceError, type EvidenceFile, type EvidenceRow, taskName } from './evidence-file.ts'
import { evidenceText } from './evidence-text.ts'

const mostDepth = 64
const verdicts = new Set(['failure', 'error', 'skipped'])

/**
 * A JUnit report: each test case is the task `classname::name`, 1 without and 0 with a `failure`. `error` and `skipped` are unscored. XML
 * with a DOCTYPE is refused, so that no entity is ever expanded. @throws EvidenceError
 */
export function readJunitEvidence(bytes: Buffer): EvidenceFile {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const rows: EvidenceRow[] = []
  const unscored = { error: 0, skipped: 0 }
  const open: string[] = []
  let testCase: { readonly line: number; readonly task: string; verdict: string | null } | null = null
  const at = () => ({ line: parser.line, column: parser.columnIndex + 1 })
  parser.on('error', error => {
    const { line, column } = at()
    throw new EvidenceError(
      `Not valid XML at column ${column}: ${error.message.slice(0, 1_000).replace(/^\S{0,200}?\d{1,9}:\d{1,9}:\s*/, '')}.`,
      line,
    )
  })
  parser.on('doctype', () => {
    throw new EvidenceError('The XML has a DOCTYPE, which is refused. Remove it.', at().line)
  })
  parser.on('opentag', ({ name, attributes }) => {
    const { line } = at()
    if (open.length === 0 && name !== 'testsuites' && name !== 'testsuite')
      throw new EvidenceError(`Not a JUnit report: the outermost element is "${name.slice(0, 60)}", not "testsuites" or "testsuite".`, line)
    open.push(name)
    if (open.length > mostDepth) throw new EvidenceError(`The XML is nested deeper than ${mostDepth} levels.`, line)
    if (name === 'testcase') {
      if (testCase !== null) throw new EvidenceError('A test case contains another.', line)
      const { classname, name: own } = attributes
      if (own === undefined) throw new EvidenceError('A test case has no "name".', line)
      testCase = { line, task: taskName(classname ? `${classname}::${own}` : own, line), verdict: null }
    } else if (testCase !== null && verdicts.has(name) && open.at(-2) === 'testcase') testCase.verdict ??= name
  })
  parser.on('closetag', ({ name }) => {
    open.pop()
    if (name !== 'testcase' || testCase === null) return
    const { line, task, verdict } = testCase
    if (verdict === 'error' || verdict === 'skipped') unscored[verdict]++
    rows.push({
      line,
      task,
      isPlace: false,
      texts: [],
      label: null,
      metric: 'passed',
      value: verdict === null ? 1 : verdict === 'failure' ? 0 : null,
    })
    testCase = null
  })
  parser.write(evidenceText(bytes)).close()
  if (rows.length === 0) throw new EvidenceError('The report has no test case.')
  return {
    rows,
    figures: [],
    blocked: null,
    cautions: [
      ...(unscored.error > 0 ? [`${unscored.error} test cases ended in an error and are unscored.`] : []),
      ...(unscored.skipped > 0 ? [`${unscored.skipped} test cases were skipped and are unscored.`] : []),
    ],
  }
}
