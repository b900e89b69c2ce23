import type { z } from 'zod'

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

/** A union reports all its branches; the branch that came furthest is the one that was meant. */
export function meantIssues(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'invalid_union') return [issue]
    const branches = issue.errors.map(branch => meantIssues(branch)).sort((a, b) => score(a) - score(b))
    const best = unknownKind(branches) ?? branches[0]
    return best ? best.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] })) : [issue]
  })
}

/** Where no branch knows the kind, every kind that one does: the branch that came furthest would name its own alone. */
function unknownKind(branches: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue[] | null {
  const complaints = branches.map(branch =>
    branch.find(
      (one): one is z.core.$ZodIssueInvalidValue => one.code === 'invalid_value' && one.path.length === 1 && one.path[0] === 'kind',
    ),
  )
  const [first] = complaints
  if (!first || complaints.includes(undefined)) return null
  return [{ ...first, values: [...new Set(complaints.flatMap(complaint => complaint?.values ?? []))] }]
}

/** Fewer complaints, and none about the discriminator or the kind of the value as a whole, means closer to what was meant. */
function score(issues: readonly z.core.$ZodIssue[]): number {
  const isOther = issues.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'))
  return issues.length + (isOther ? 50 : 0) + (issues.some(({ path }) => path[0] === 'kind') ? 100 : 0)
}
