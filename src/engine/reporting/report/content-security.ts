import { createHash } from 'node:crypto'

/**
 * The policy of a report, for a meta element: nothing may load, and of all that a page could hold only this one script and this one
 * style may run. Should hostile text ever get past the escaping, it would still be inert.
 */
export function contentSecurityPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `style-src '${sha256(style)}'`,
    `script-src '${sha256(script)}'`,
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
