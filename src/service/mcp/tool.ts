import type { z } from 'zod'
import { api, type Api, type OperationId } from '../../contract/api.ts'
import type { Request, Response } from '../../contract/endpoint.ts'
import type { Scope } from '../../contract/scopes.ts'

/** The interface as a tool reaches it: over HTTP from another process, or in the service's own. */
export interface Assay<Ids extends OperationId = OperationId> {
  /** One request with the caller's key. @throws ServiceError as the HTTP interface refuses it */
  call<Id extends Ids>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** A request that the typed client does not express: a form, a file. @throws ServiceError */
  send(path: string, request?: { readonly form: FormData }): Promise<string>
  /** Address of a page of the UI, e.g. of `/runs/ID`. */
  pageUrl(path: string): string
}

/** Whose key or session the calls are made with. */
export interface Caller {
  readonly kind: 'api_key' | 'session'
  readonly name: string
  readonly scopes: readonly Scope[]
}

export interface ToolContext<Ids extends OperationId = OperationId> extends Assay<Ids> {
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal
}

/** `read` changes nothing; `write` costs nothing; `spend` may cost money within the key's spending limit; `person` only says where a person decides. */
type Effect = 'read' | 'write' | 'spend' | 'person'

interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
}

export interface Tool extends ToolFacts {
  readonly input: z.ZodObject
  /** What a key needs to be shown the tool: the scopes of its operations. */
  readonly scopes: readonly Scope[]
  /** Path of the page where a person can do what the key may not. */
  readonly page: (input: unknown) => string
  run(input: unknown, context: ToolContext): Promise<object>
}

interface ToolDeclaration<Input extends z.ZodObject, Ids extends OperationId, Also extends OperationId> extends ToolFacts {
  readonly input: Input
  /** Operations that it cannot do without. */
  readonly calls: readonly Ids[]
  /** Operations that it does without where the key lacks their scope. */
  readonly alsoCalls?: readonly Also[]
  readonly page?: (input: z.output<Input>) => string
  run(input: z.output<Input>, context: ToolContext<Ids | Also>): Promise<object>
}

export function defineTool<Input extends z.ZodObject, Ids extends OperationId, Also extends OperationId = never>(
  tool: ToolDeclaration<Input, Ids, Also>,
): Tool {
  const { name, title, description, effect, input: schema, calls, page } = tool
  return {
    name,
    title,
    description,
    effect,
    input: schema,
    scopes: [...new Set(calls.map(id => scopeOf(id)))],
    page: input => (page ? page(schema.parse(input)) : '/'),
    run: (input, context) => tool.run(schema.parse(input), context),
  }
}

function scopeOf(id: OperationId): Scope {
  const { scope } = api[id]
  if (scope === 'public' || scope === 'principal') throw new Error(`The operation ${id} has no scope, so no tool is made of it.`)
  return scope
}
