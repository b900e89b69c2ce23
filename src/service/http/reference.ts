import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Endpoint, EndpointTable } from '../../contract/endpoint.ts'
import { areaOf, tags } from '../../contract/tags.ts'
import { lazily } from '../../lib/lazily.ts'
import type { HtmlPage } from './handler.ts'
import { escapeHtml, staticPage } from './static-page.ts'

type Json = Record<string, unknown>

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Json
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>
}

/** What the pages read of an operation of the document. */
interface Described {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>
}

/**
 * The offline API reference: `/docs` lists every operation by area, `/docs/areas/{area}` describes those of one. Plain HTML made from the
 * document that `/v1/openapi.json` answers: it can be read in any browser, searched, printed and fetched by programs.
 */
export function serveReference(app: FastifyInstance, table: EndpointTable, document: (area?: string) => Promise<Json>): void {
  const index = lazily(() => staticPage('Assay API reference', indexOf(table)))
  const areas = new Map<string, HtmlPage>()
  const send = (reply: FastifyReply, { html, contentSecurityPolicy }: HtmlPage) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', contentSecurityPolicy).send(html)
  app.get('/docs', async (_request, reply) => send(reply, index()))
  app.get<{ Params: { area: string } }>('/docs/areas/:area', async ({ params }, reply) => {
    const tag = Object.keys(tags).find(name => areaOf(name) === params.area)
    if (tag === undefined) return reply.callNotFound()
    const page = areas.get(tag) ?? staticPage(tag, areaPage(tag, table, await document(params.area)))
    areas.set(tag, page)
    return send(reply, page)
  })
}

function indexOf(table: EndpointTable): string {
  const areas = Object.entries(tags).map(([tag, about]) => {
    const rows = operationsOf(table, tag).map(
      ([id, { method, path, summary }]) =>
        `<tr><th scope="row"><a href="/docs/areas/${areaOf(tag)}#${id}"><code>${method} ${escapeHtml(path)}</code></a></th><td>${escapeHtml(summary)}</td></tr>`,
    )
    return `<h2 id="${areaOf(tag)}"><a href="/docs/areas/${areaOf(tag)}">${escapeHtml(tag)}</a></h2>\n<p>${text(about)}</p>\n<table><tbody>${rows.join('\n')}</tbody></table>`
  })
  return `<p>Guide by task: <a href="/guide">in the app</a>, or as text at <a href="/docs/guide">/docs/guide</a>. Guide for agents: <a href="/docs/agents">/docs/agents</a>. Worked examples: <a href="/docs/examples">/docs/examples</a>. For programs: <a href="/v1/openapi.json">/v1/openapi.json</a>, or one area of it by <code>?area=</code>.</p>\n${areas.join('\n')}`
}

function areaPage(tag: string, table: EndpointTable, document: Json): string {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Described>>>> // as openapi.ts writes them
  const operations = operationsOf(table, tag).map(([id, endpoint]) => {
    const described = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    return described ? operationSection(id, endpoint, described) : ''
  })
  return `<p><a href="/docs">All areas</a> · <a href="/v1/openapi.json?area=${areaOf(tag)}">OpenAPI document of this area</a></p>\n<p>${text(tags[tag] ?? '')}</p>\n${operations.join('\n')}`
}

function operationsOf(table: EndpointTable, tag: string): [string, Endpoint][] {
  return Object.entries(table).filter(([, endpoint]) => endpoint.tag === tag)
}

function operationSection(id: string, { method, path, summary, description, scope, status }: Endpoint, described: Described): string {
  const needs = scope === 'public' ? 'No credentials' : scope === 'principal' ? 'Any valid key or session' : `Scope <code>${scope}</code>`
  const errors = Object.keys(described.responses).filter(code => Number(code) >= 400)
  return [
    `<section id="${id}"><h2><code>${method} ${escapeHtml(path)}</code></h2>`,
    `<p><strong>${escapeHtml(summary)}.</strong> ${text(description)}</p>`,
    `<p>${needs}. Answers ${status}; errors ${errors.join(', ')}.</p>`,
    parameterTable(described.parameters),
    ...exampleBlocks('Request body', described.requestBody),
    ...exampleBlocks(`Reply (${status})`, described.responses[String(status)]),
    '</section>',
  ].join('\n')
}

/** The headers that every request takes are told once, in the guide. */
function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.flatMap(({ name, in: place = '', required = false, description = '', schema = {} }) =>
    name === undefined
      ? []
      : [
          `<tr><th scope="row"><code>${escapeHtml(name)}</code><small>${place}${required ? ', required' : ''}</small></th><td>${text([typeOf(schema), description].filter(Boolean).join('. '))}</td></tr>`,
        ],
  )
  if (rows.length === 0) return ''
  return `<table><thead><tr><th scope="col">Parameter</th><th scope="col">Type and meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function typeOf({ type, enum: values, minimum, maximum, default: usual }: Json): string {
  const name = Array.isArray(values) ? values.map(value => `\`${String(value)}\``).join(', ') : typeof type === 'string' ? type : ''
  const range = typeof minimum === 'number' && typeof maximum === 'number' && maximum < 1e9 ? ` from ${minimum} to ${maximum}` : ''
  return `${name}${range}${usual === undefined ? '' : `, default \`${JSON.stringify(usual)}\``}`
}

function exampleBlocks(title: string, part: Content | undefined): string[] {
  return Object.entries(part?.content ?? {}).flatMap(([media, { example }]) =>
    example === undefined
      ? [`<p>${title}: <code>${escapeHtml(media)}</code></p>`]
      : [`<p>${title}, <code>${escapeHtml(media)}</code>, for example</p>`, `<pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>`],
  )
}

/** Text of the contract, whose code is between backticks. */
function text(words: string): string {
  return escapeHtml(words).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
