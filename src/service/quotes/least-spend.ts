import type { ModelChoice } from '../../contract/quotes/quotes.schemas.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { Connections } from '../connections/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { leastSpend, type Spend, sumOf } from '../spending/index.ts'
import { findModel } from './select-model.ts'

/** Who a run would ask. */
export interface Asked {
  readonly models: readonly ModelChoice[]
  readonly profileIds: readonly string[]
  /** Versions beside the profiles' own. */
  readonly evaluators: readonly string[]
}

interface LeastSpendDependencies {
  readonly catalog: Catalog
  readonly connections: Connections
  readonly evaluators: Pick<Evaluators, 'runs'>
}

/**
 * What a run costs at least, judges and simulated users included, found without storing anything: enough to refuse a key that may spend
 * nothing. What is unknown costs nothing here; its quote is refused.
 */
export function leastOf(
  workspaceId: string,
  { models, profileIds, evaluators: chosen }: Asked,
  { catalog, connections, evaluators }: LeastSpendDependencies,
): Spend {
  const profiles = profileIds.flatMap(id => catalog.profile(workspaceId, id)?.definition ?? [])
  return sumOf([
    ...models.flatMap(model => findModel(model, workspaceId, catalog, connections)?.snapshot ?? []).map(leastSpend),
    ...evaluators.runs
      .models(workspaceId, profiles, chosen)
      .map(({ payer, rates }) => leastSpend({ kind: payer === 'wallet' ? 'managed' : 'connection', rates })),
  ])
}
