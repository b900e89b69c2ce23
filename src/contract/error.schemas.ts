import { z } from 'zod'
import { errorCodes } from './errors.ts'
import { named, Uuid } from './primitives.ts'

const Detail = z.strictObject({
  loc: z.array(z.union([z.string(), z.number()])).describe('Path to the offending value, starting with body, query, path or header.'),
  msg: z.string(),
  type: z.string(),
  ctx: z.record(z.string(), z.number()).optional().describe('Figures of the rule, e.g. how many archives there are.'),
})

/** The body of every error response. */
export const ErrorBody = named('ErrorBody', {
  error: z.strictObject({
    // A client must be able to read codes of a later version, so the list is stated and not enforced.
    code: z
      .string()
      .meta({ enum: Object.keys(errorCodes) })
      .describe('One of the catalog of error codes.'),
    message: z.string().describe('What was wrong, with which value, and what to do next.'),
    request_id: Uuid.describe('Equal to the X-Request-Id response header.'),
    feedback: z.strictObject({
      url: z.string().describe('Where to report this: the feedback create path.'),
      method: z.literal('POST'),
      request_id: Uuid,
      docs: z.string().describe('Link to the feedback guide.'),
    }),
  }),
  detail: z.array(Detail).optional().describe('On 422: each invalid field.'),
})

export type ErrorBody = z.infer<typeof ErrorBody>
