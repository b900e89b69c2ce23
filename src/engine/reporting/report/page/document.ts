import { createElement as h, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { showHidden } from '../../../../lib/format/visible-text.ts'
import { Mark } from '../../../../charts/mark.ts'
import { contentSecurityPolicy } from '../content-security.ts'
import { explorerScript } from '../explorer/explorer-script.ts'
import { explorerStyle } from '../style/explorer-style.ts'
import { pageStyle } from '../style/page-style.ts'
import { reportFont } from '../style/report-font.ts'
import { themeStyle } from '../style/theme.ts'

const style = themeStyle + pageStyle + explorerStyle

const icon = `data:image/svg+xml,${encodeURIComponent(renderToStaticMarkup(h(Mark, { size: 32 })))}`

/**
 * Everything up to the first section. The icon is in the file, so that browsers do not ask the report's folder or server for one; the
 * policy precedes everything that it applies to.
 */
export function pageStart(title: string, script: string, rules: string): string {
  const css = reportFont + rules
  const head = renderToStaticMarkup(
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('meta', { httpEquiv: 'Content-Security-Policy', content: contentSecurityPolicy(script, css) }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'referrer', content: 'no-referrer' }),
      h('title', null, showHidden(title)),
      h('link', { rel: 'icon', href: icon }),
    ),
  )
  // The style element is assembled as a string: markup escaping would change it, and with it the hash that the policy names.
  return `<!DOCTYPE html>\n<html lang="en">${head.replace('</head>', '')}<style>${css}</style></head>\n<body>\n<main>\n`
}

export function documentStart(title: string): string {
  return pageStart(`${title} – Assay run report`, explorerScript, style)
}

/** Sections as HTML; React escapes every text and attribute in them. */
export function sectionHtml(section: ReactElement | null): string {
  return section === null ? '' : `${renderToStaticMarkup(section)}\n`
}

/** The end of the page. The script comes last, when all that it reads is there; without one the page has none. */
export function pageEnd(version: string, script: string): string {
  const footer = renderToStaticMarkup(
    h('footer', null, `Made by Assay ${showHidden(version)}. This file is complete: it loads nothing from anywhere.`),
  )
  return `${footer}\n</main>\n${script === '' ? '' : `<script>${script}</script>\n`}</body>\n</html>\n`
}

export function documentEnd(version: string): string {
  return pageEnd(version, explorerScript)
}

/** Links to the sections, in their order. */
export function contents(sections: readonly (readonly [id: string, title: string])[]): ReactElement {
  return h(
    'nav',
    { 'aria-label': 'Sections' },
    h('ul', null, ...sections.map(([id, title]) => h('li', { key: id }, h('a', { href: `#${id}` }, title)))),
  )
}
