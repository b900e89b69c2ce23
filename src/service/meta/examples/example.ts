import { api, type Api, type OperationId } from '../../../contract/api.ts'
import { buildRequest } from '../../../contract/client-by-id.ts'
import type { Endpoint, Request } from '../../../contract/endpoint.ts'

/** A worked example: the requests of one area, in order. Names in capitals stand for what an earlier step answered. */
export interface Example {
  readonly title: string
  readonly steps: readonly string[]
}

interface Around {
  /** Fields of the answer that later steps use, by their name in capitals; a path such as `items.0.id`. */
  readonly keep?: Readonly<Record<string, string>>
  /** Repeat the request until the field has one of the values; the first is what the example leads to. */
  readonly until?: readonly [field: string, ...values: string[]]
  /** Only a signed-in person may do this. */
  readonly person?: true
}

interface Upload {
  readonly fields: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly content: string }
}

const indented = (lines: readonly string[]) => lines.map(line => `    ${line}`).join('\n')

function written(say: string, request: readonly string[], { keep = {}, until, person }: Around): string {
  const kept = Object.entries(keep).map(([name, path]) => `   Keep ${path} as ${name}.`)
  const repeated = until ? [`   Repeat until ${until[0]} is ${until.slice(1).join(' or ')}.`] : []
  return [`${say}${person ? ' A signed-in person does this.' : ''}`, '', indented(request), '', ...repeated, ...kept].join('\n').trimEnd()
}

/** A request with a JSON body, or none. */
export function step<Id extends OperationId>(say: string, id: Id, request: Request<Api[Id]>, around: Around = {}): string {
  const { method, url, body } = buildRequest(id, request)
  return written(say, [`${method} ${url}`, ...(body === undefined ? [] : [body])], around)
}

/** A request whose content is a file. */
export function upload(say: string, id: OperationId, { fields, file }: Upload, around: Around = {}): string {
  const { method, path }: Endpoint = api[id]
  return written(say, [`${method} ${path}`, `multipart/form-data ${JSON.stringify({ fields, file })}`], around)
}
