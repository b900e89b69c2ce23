import { isAbsolute, resolve } from 'node:path'
import { trimEndOf } from '../lib/trim-end.ts'

/** What a person asked to be opened. */
export type OpenTarget = { readonly kind: 'page'; readonly path: string } | { readonly kind: 'file'; readonly path: string }

export const linkScheme = 'assay'
/** A page of the app: words, ids and numbers. The API and its reference are not pages. */
const page = /^\/(?!v1(?:\/|$)|docs(?:\/|$))(?:[\w-]+(?:\/[\w.~-]+)*)?$/
const longestLink = 500

/** The page that `assay://runs/<id>` names, or null for a link that names none. */
export function pageOfLink(link: string): string | null {
  const url = link.length > longestLink ? null : URL.parse(link)
  if (url === null || url.protocol !== `${linkScheme}:` || url.username !== '' || url.password !== '' || url.port !== '') return null
  const path = trimEndOf(`/${url.host}${url.pathname}`, /\//) || '/'
  return page.test(path) && !path.split('/').includes('..') ? path : null
}

/** What the arguments of a start ask for; the last one counts, and null is nothing. */
export function targetOf(args: readonly string[], folder: string): OpenTarget | null {
  const last = args.findLast((arg, index) => args[index - 1] !== '--data-dir' && (arg.startsWith(`${linkScheme}:`) || isOpened(arg)))
  if (last === undefined) return null
  if (!last.startsWith(`${linkScheme}:`)) return { kind: 'file', path: isAbsolute(last) ? last : resolve(folder, last) }
  const path = pageOfLink(last)
  return path === null ? null : { kind: 'page', path }
}

const isOpened = (arg: string): boolean => !arg.startsWith('-') && /\.(?:assay|gguf)$/i.test(arg)
