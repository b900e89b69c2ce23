import { Quote } from '../../src/contract/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId, quote } from './runs.ts'
import type { TestService } from './service.ts'

export interface Price {
  /** Micro-USD that the run may cost at most. */
  readonly upperBound: number
  readonly samples?: number
}

/** A quote for a baseline, made to cost: the bundled routes are free, and paid ones need a vendor. Answers its id. */
export async function pricedQuote(service: TestService, { upperBound, samples = 5 }: Price): Promise<string> {
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/first-option' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
  })
  const db = openDatabase(`${service.dataDir}/assay.db`)
  try {
    const row = db.first(db.sql.selectFrom('quotes').select('record').where('id', '=', id))
    const record = Quote.omit({ status: true }).parse(JSON.parse(row?.record ?? ''))
    const priced = {
      ...record,
      cost: { ...record.cost, upper_bound_microusd: String(upperBound), max_charge_microusd: String(upperBound) },
    }
    db.run(
      db.sql
        .updateTable('quotes')
        .set({ record: JSON.stringify(priced) })
        .where('id', '=', id),
    )
  } finally {
    db.close()
  }
  return id
}

/** Puts so much into the wallet. */
export async function allot(service: TestService, amount: string, note = ''): Promise<string> {
  const { id } = await service.client.call('createPurchase', { body: { amount_microusd: amount, note } })
  await service.client.call('confirmPurchase', { params: { purchase_id: id } })
  return id
}
