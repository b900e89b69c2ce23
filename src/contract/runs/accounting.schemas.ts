import { z } from 'zod'
import { MicroUsd, named } from '../primitives.ts'
import { accountingMachine } from './run.machine.ts'

export const Accounting = named('Accounting', {
  state: z.enum(accountingMachine.states),
  held_microusd: MicroUsd,
  charged_microusd: MicroUsd.describe('Metered so far; final once settled.'),
  max_charge_microusd: MicroUsd,
  provider_billed_estimate_microusd: MicroUsd.nullable().describe('Estimated provider billing at the connection’s stated rates.'),
  provider_billed_microusd: MicroUsd.nullable().describe(
    'Provider billing so far, at the connection’s stated rates; null without rates, 0 for managed routes.',
  ),
  max_provider_billed_microusd: MicroUsd.nullable().describe('Spending limit on that; null: none.'),
  possibly_billed_twice: z
    .int()
    .min(0)
    .describe(
      'Calls with an unknown cost: they were sent and timed out, were cut off by the server, the network or a stop, got a reply with a 2xx status that could not be read, or, where rates are known, an answer without a readable token count. Their cost is unknown and not in the sums; the provider may have billed them and their retries.',
    ),
})

export type Accounting = z.infer<typeof Accounting>
