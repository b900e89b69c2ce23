import { RE2JS } from 're2js'
import { ScorerConfigError } from '../config-error.ts'
import { pythonToRe2 } from '../python/regex.ts'
import { pythonToJavaScript } from '../python/regex-to-javascript.ts'
import { mendPattern } from './mend-pattern.ts'
import { type Pattern, type PatternMatch, removeMatches } from './pattern.ts'
import { requireAffordable, PatternLimitError } from './pattern-limit.ts'
import { timedPattern } from './timed-pattern.ts'

/**
 * Each match may read on to the end of the text, so that many of them can take long although each is quick. Time of this thread's
 * processor, so that no verdict depends on what else the machine does.
 */
const mostMicroseconds = 1_000_000

interface PatternOptions {
  readonly ignoreCase?: boolean
  readonly multiline?: boolean
  readonly dotAll?: boolean
}

/**
 * A pattern from a task, a dataset or a person, in Python's notation, on RE2: its running time grows in proportion to the text,
 * whatever the pattern, and is limited: looking for matches throws a PatternLimitError beyond. Differences from Python: `\b` knows ASCII words only, and `$` takes a last line end into the match.
 * What looks around or back, which RE2 cannot, runs on an engine that is stopped after a second.
 * @throws ScorerConfigError naming the pattern, for wrong syntax and repetition above 1,000
 */
export function userPattern(source: string, options: PatternOptions = {}): Pattern {
  if (looksAround.test(source)) return lookingPattern(source, options)
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(pythonToRe2(source, options.multiline ?? false), re2Flags(options))
  } catch (error) {
    throw new ScorerConfigError(`The pattern ${JSON.stringify(source)} cannot be used: ${mendPattern(error)}.`)
  }
  const pattern: Pattern = {
    source,
    groupCount: compiled.groupCount(),
    matches: text => matches(compiled, source, text),
    remove: text => removeMatches(text, matches(compiled, source, text)),
  }
  return pattern
}

/** Lookahead, lookbehind and back references. */
const looksAround = /\(\?<?[=!]|\(\?P=|(?<!\\)(?:\\\\)*\\[1-9]/

function lookingPattern(source: string, { ignoreCase = false, multiline = false, dotAll = false }: PatternOptions): Pattern {
  try {
    return timedPattern(pythonToJavaScript(source, { ignoreCase, multiline, dotAll }), source)
  } catch (error) {
    throw new ScorerConfigError(`The pattern ${JSON.stringify(source)} cannot be used: ${mendPattern(error)}.`)
  }
}

function re2Flags({ ignoreCase, multiline, dotAll }: PatternOptions): number {
  return (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0) | (dotAll ? RE2JS.DOTALL : 0)
}

function* matches(compiled: RE2JS, source: string, text: string): Generator<PatternMatch> {
  requireAffordable(compiled, source, text)
  const before = process.threadCpuUsage()
  const matcher = compiled.matcher(text)
  const count = compiled.groupCount()
  while (matcher.find()) {
    const groups = []
    for (let group = 0; group <= count; group++) {
      const start = matcher.start(group)
      const end = matcher.end(group)
      groups.push(start < 0 ? null : { text: text.slice(start, end), start, end })
    }
    yield { groups }
    const { user, system } = process.threadCpuUsage(before)
    if (user + system > mostMicroseconds) throw new PatternLimitError(source, text)
  }
}
