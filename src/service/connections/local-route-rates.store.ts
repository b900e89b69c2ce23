import { Rates } from '../../contract/catalog/models.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** @param rates null: the route is free again */
export function storeLocalRouteRates(db: Database, workspaceId: string, routeId: string, rates: Rates | null, now: string): void {
  if (rates === null) {
    db.run(db.sql.deleteFrom('local_route_rates').where('workspace_id', '=', workspaceId).where('route_id', '=', routeId))
    return
  }
  const stated = { rates: JSON.stringify(rates), stated_at: now }
  db.run(
    db.sql
      .insertInto('local_route_rates')
      .values({ workspace_id: workspaceId, route_id: routeId, ...stated })
      .onConflict(conflict => conflict.columns(['workspace_id', 'route_id']).doUpdateSet(stated)),
  )
}

/** By route id. */
export function localRouteRates(db: Database, workspaceId: string): ReadonlyMap<string, Rates> {
  const rows = db.all(db.sql.selectFrom('local_route_rates').select(['route_id', 'rates']).where('workspace_id', '=', workspaceId))
  return new Map(rows.map(row => [row.route_id, Rates.parse(JSON.parse(row.rates))]))
}
