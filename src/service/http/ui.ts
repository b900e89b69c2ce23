import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** What the page may load and do: nothing but its own files and this service. Mantine sets style attributes, so those are allowed. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Text never becomes markup or script by accident; the page says which texts may, see renderer/app/page-policy.ts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

const placeholder = '__CSP_NONCE__'

/** Serves the built UI at `/`; every other path that is not the API's answers the same page, whose router knows it. */
export async function serveUi(app: FastifyInstance, rendererDir: string): Promise<(path: string) => { html: string; csp: string } | null> {
  const page = join(rendererDir, 'index.html')
  if (!existsSync(page)) return () => null
  const template = templateOf(page)
  await app.register(fastifyStatic, {
    root: join(rendererDir, 'assets'),
    prefix: '/assets/',
    index: false,
    decorateReply: false,
    cacheControl: true,
    immutable: true,
    maxAge: '365d',
  })
  return path => {
    if (path.startsWith('/v1/') || path.startsWith('/assets/') || path.startsWith('/docs')) return null
    const nonce = randomBytes(18).toString('base64')
    return { html: template().replaceAll(placeholder, nonce), csp: contentSecurityPolicy(nonce) }
  }
}

/**
 * The page as it is on disk now: a build replaces it and the files that it names, and a page remembered from before would load none of
 * them. While a build has removed it, the last one is served.
 */
function templateOf(page: string): () => string {
  let [template, writtenAtMs] = ['', Number.NaN]
  const read = (): string => {
    const stats = statSync(page, { throwIfNoEntry: false })
    if (stats === undefined || stats.mtimeMs === writtenAtMs) return template
    try {
      template = readFileSync(page, 'utf8')
      writtenAtMs = stats.mtimeMs
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
    return template
  }
  read()
  return read
}
