import type { z } from 'zod'
import { meantIssues } from './meant-issues.ts'
import { shownValue, typeNames } from './value-names.ts'

/** What is wrong with a value, as a predicate of its field: `summary` + `is required`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return issue.message
      return issue.message.endsWith('received undefined') ? 'is required' : `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return sizeText(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return sizeText(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      if (!issue.message.startsWith('Invalid')) return issue.message
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(value => JSON.stringify(value)).join(', ')}${notThis(issue)}`
    case 'unrecognized_keys':
      return `has unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${issue.keys.map(key => `"${key.slice(0, 60)}"`).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? `must be ${formatNames[issue.format] ?? `a valid ${issue.format}`}${issue.format === 'uuid' ? notThis(issue) : ''}`
        : issue.message
    default:
      return issue.message.startsWith('Invalid') ? 'has another form than is read' : issue.message
  }
}

/** What was sent instead of a choice; known where the schema was asked to report its input. */
function notThis(issue: z.core.$ZodIssueInvalidValue | z.core.$ZodIssueInvalidStringFormat): string {
  return issue.input === undefined ? '' : `, not ${shownValue(issue.input)}`
}

/**
 * The first of what is wrong with a document, as a clause: `"results[3].name" must be text`.
 * @param whole what it is called where it is wrong as a whole
 */
export function describeFirst(issues: readonly z.core.$ZodIssue[], whole = 'the file'): string {
  const [issue] = meantIssues(issues)
  if (!issue) return `${whole} is not valid`
  const place = issue.path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`)).join('')
  return `${place === '' ? whole : `"${place.slice(0, 120)}"`} ${describeIssue(issue).slice(0, 200)}`
}

const formatNames: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  url: 'a URL',
  email: 'an email address',
  datetime: 'a time in RFC 3339 form, such as 2026-11-22T12:00:00Z',
  date: 'a date such as 2026-11-22',
  regex: 'of another form; see the description of the field',
}

function sizeText(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `must have ${bound} ${size} ${Number(size) === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set') return `must have ${bound} ${size} ${Number(size) === 1 ? 'item' : 'items'}`
  return `must be ${bound} ${size}`
}
