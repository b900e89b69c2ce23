/** Permissions of a key: `<area>:read` or `<area>:write`; `workers:run` is for the machines that work for the service. Sessions have every scope that their role allows. */
export const scopes = [
  'billing:read',
  'billing:write',
  'catalog:read',
  'catalog:write',
  'comparisons:read',
  'comparisons:write',
  'connections:read',
  'connections:write',
  'creator:read',
  'creator:write',
  'datasets:read',
  'datasets:write',
  'evaluations:read',
  'evaluations:write',
  'evaluators:read',
  'evaluators:write',
  'feedback:read',
  'feedback:write',
  'jobs:read',
  'jobs:write',
  'keys:read',
  'keys:write',
  'media:read',
  'media:write',
  'models:read',
  'models:write',
  'quotes:read',
  'quotes:write',
  'recommendations:read',
  'releases:read',
  'releases:write',
  'runs:read',
  'runs:write',
  'suites:read',
  'suites:write',
  'traces:read',
  'traces:write',
  'tuning:read',
  'tuning:write',
  'workers:read',
  'workers:run',
  'workers:write',
  'workspace:read',
  'workspace:write',
] as const

export type Scope = (typeof scopes)[number]

/** Scopes that every key and session has: sending feedback and reading its status. */
export const commonScopes: readonly Scope[] = ['feedback:read', 'feedback:write']

/** Why whoever has none of these scopes is refused. */
export function lacksScope(
  { kind, name }: { readonly kind: 'api_key' | 'session'; readonly name: string },
  ...[scope, ...others]: readonly Scope[]
): string {
  const who = `The ${kind === 'session' ? 'session of' : 'key'} "${name}"`
  return others.length === 0
    ? `${who} lacks the scope ${scope}. Use one with this scope.`
    : `${who} has none of the scopes ${[scope, ...others].join(', ')}. Use one that has one of them.`
}
