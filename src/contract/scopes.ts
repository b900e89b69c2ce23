/** What a key may be allowed to do: `<area>:read` or `<area>:write`. Sessions have every scope that their role allows. */
export const scopes = [
  'catalog:read',
  'catalog:write',
  'connections:read',
  'connections:write',
  'quotes:read',
  'quotes:write',
  'runs:read',
  'runs:write',
  'workspace:read',
  'workspace:write',
] as const

export type Scope = (typeof scopes)[number]
