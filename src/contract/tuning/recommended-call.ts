import type { TuneCall } from './draft.schemas.ts'
import type { TuneArm } from './race.schemas.ts'

/** The call with an arm's model, effort and prompt in it. */
export function recommendedCall(
  call: TuneCall,
  { model: { route_id, connection_id }, effort, prompt }: Pick<TuneArm, 'model' | 'effort' | 'prompt'>,
): TuneCall {
  const model: TuneCall['model'] =
    connection_id === null ? { kind: 'managed', route_id: route_id ?? '' } : { kind: 'connection', connection_id }
  return { ...call, model, effort, ...prompt }
}
