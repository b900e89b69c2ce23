import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { shippedPath } from '../../engine/content/shipped-path.ts'

/** Serves the guide's pages as they are written, for programs and for readers without the app. The app shows them at `/guide`. */
export function serveGuide(http: FastifyInstance): void {
  const type = 'text/markdown; charset=utf-8'
  const folder = shippedPath('docs/guide')
  const pages = readdirSync(folder)
    .filter(file => file.endsWith('.md'))
    .map(file => file.replace(/\.md$/, ''))
  const list = `# Guide\n\n${pages.map(page => `- [${page.replaceAll('-', ' ')}](/docs/guide/${page})`).join('\n')}\n`
  http.get('/docs/guide', async (_request, reply) => reply.type(type).send(list))
  for (const page of pages)
    http.get(`/docs/guide/${page}`, async (_request, reply) => reply.type(type).send(readFileSync(join(folder, `${page}.md`), 'utf8')))
  for (const file of readdirSync(join(folder, 'pictures')))
    http.get(`/docs/guide/pictures/${file}`, async (_request, reply) =>
      reply.type('image/webp').send(readFileSync(join(folder, 'pictures', file))),
    )
}
