import type { BodyExamples } from '../body-examples.ts'
import type { quotesEndpoints } from './quotes.endpoints.ts'

export const quotesExamples: BodyExamples<typeof quotesEndpoints> = {
  createQuote: {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    selection: { profile_ids: ['arithmetic-word-problems@1.0.0-seed20261101:zero-shot'] },
    coverage: { mode: 'sample', sample_count: 100, seed: 1 },
    max_charge_microusd: '0',
  },
}
