import { expect, test } from 'vitest'
import { z } from 'zod'
import { parsePart } from '../../../src/service/http/parse-input.ts'
import { messageOf } from '../../../src/lib/message-of.ts'

const Body = z.strictObject({
  summary: z.string().min(1).max(5),
  count: z.int().min(1).max(10).optional(),
  kind: z.enum(['bug', 'docs']).optional(),
  ids: z.array(z.uuid()).min(1).optional(),
  note: z
    .string()
    .refine(text => text !== 'no', 'must not say no')
    .optional(),
})

function refusalOf(body: unknown): string {
  try {
    parsePart(Body, body, 'body')
    return 'accepted'
  } catch (error) {
    return messageOf(error)
  }
}

test.each([
  [{}, 'summary is required'],
  [{ summary: 3 }, 'summary must be text'],
  [{ summary: '' }, 'summary must have at least 1 character'],
  [{ summary: 'too long' }, 'summary must have at most 5 characters'],
  [{ summary: 'a', count: 0 }, 'count must be at least 1'],
  [{ summary: 'a', count: 11 }, 'count must be at most 10'],
  [{ summary: 'a', count: '1' }, 'count must be a number'],
  [{ summary: 'a', count: 1.5 }, 'count must be a whole number'],
  [{ summary: 'a', kind: 'x' }, 'kind must be one of "bug", "docs", not "x"'],
  [{ summary: 'a', kind: 'x'.repeat(99) }, `kind must be one of "bug", "docs", not "${'x'.repeat(60)}"…`],
  [{ summary: 'a', ids: [] }, 'ids must have at least 1 item'],
  [{ summary: 'a', ids: ['x'] }, 'ids.0 must be a UUID, not "x"'],
  [{ summary: 'a', other: 1 }, 'the body has unknown field "other"'],
  [{ summary: 'a', note: 'no' }, 'note must not say no'],
  [{ count: 0 }, 'summary is required (and 1 more, see detail)'],
  [undefined, 'the body is required'],
  [null, 'the body must be an object'],
  [{ summary: 'a' }, 'accepted'],
])('says of %j: %s', (body, message) => {
  expect(refusalOf(body)).toBe(message)
})
