import type { z } from 'zod'

/** What is wrong with a value, as a predicate of its field: `summary` + `is required`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is required' : `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return sizeText(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return sizeText(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(value => JSON.stringify(value)).join(', ')}`
    case 'unrecognized_keys':
      return `has unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${issue.keys.map(key => `"${key.slice(0, 60)}"`).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `must be ${formatNames[issue.format] ?? `a valid ${issue.format}`}` : issue.message
    default:
      return issue.message
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
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
