/**
 * Names a model however it is reached: the same for a vendor's route and for a connection that asks the same vendor's model, so that its
 * past results are known as its own. Agents state no model, so their address is used instead.
 */
export function modelIdentity({ model, origin }: { readonly model: string; readonly origin: string | null }): string {
  return model === 'agent' && origin !== null ? `agent at ${origin}` : model
}
