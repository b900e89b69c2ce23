/** What a key may be allowed to do: `<area>:read` or `<area>:write`. Sessions have every scope that their role allows. */
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
  'workspace:read',
  'workspace:write',
] as const

export type Scope = (typeof scopes)[number]

/** What every key and session may do without being given it: report what went wrong, and read what became of it. */
export const commonScopes: readonly Scope[] = ['feedback:read', 'feedback:write']
