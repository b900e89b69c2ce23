import { z } from 'zod'

/** As the header `Idempotency-Key` takes it. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without blanks')
  .describe('Your choice, one for each operation; the same when you retry the call.')
