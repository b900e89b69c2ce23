import { createHash } from 'node:crypto'
import type { HtmlPage } from './handler.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid; vertical-align: top; overflow-wrap: anywhere }
tbody th { font-weight: normal; width: 11rem }
pre { padding: 1rem; border: 1px solid; overflow-x: auto }
small { display: block }
svg { min-width: 18rem }
@media (prefers-color-scheme: dark) {
  :root { --chart-ink: #e6e8eb; --chart-ink-muted: #b3b9c2; --chart-axis: #7c838d; --chart-grid: #3a3f47; --chart-surface: #121212; --chart-series-1: #56b4e9 }
}
@media print { body { margin: 0 } }
`

/** The page runs nothing, loads nothing and sends nothing; only its own style applies. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page of this service's own that works offline. `body` is HTML; whatever others wrote must have gone through `escapeHtml`. */
export function staticPage(title: string, body: string): HtmlPage {
  const name = escapeHtml(title)
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title><style>${style}</style>`
  return {
    html: `<!doctype html>\n<html lang="en">\n<head>${head}</head>\n<body>\n<h1>${name}</h1>\n${body}\n</body>\n</html>\n`,
    contentSecurityPolicy,
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as HTML shows it, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? '')
}
