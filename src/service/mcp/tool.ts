import type { z } from 'zod'
import type { Api, OperationId, Request, Response } from '../../contract/index.ts'

/** The interface as a tool reaches it: over HTTP from another process, or in the service's own. */
export interface Assay {
  /** One request with the caller's key. @throws ServiceError as the HTTP interface refuses it */
  call<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** A request that the typed client does not express: a form, a file. @throws ServiceError */
  send(path: string, request?: { readonly form: FormData }): Promise<string>
  /** Address of a page of the UI, e.g. of `/runs/ID`. */
  pageUrl(path: string): string
}

export interface ToolContext extends Assay {
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal
}

/** `read` changes nothing; `write` costs nothing; `spend` may cost money within the key's spending limit; `person` only says where a person decides. */
type Effect = 'read' | 'write' | 'spend' | 'person'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly input: z.ZodObject
  /** Path of the page where a person can do what the key may not. */
  readonly page: (input: unknown) => string
  run(input: unknown, context: ToolContext): Promise<object>
}

interface ToolDeclaration<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'page' | 'run'> {
  readonly input: Input
  readonly page?: (input: z.output<Input>) => string
  run(input: z.output<Input>, context: ToolContext): Promise<object>
}

export function defineTool<Input extends z.ZodObject>(tool: ToolDeclaration<Input>): Tool {
  const { page } = tool
  return {
    ...tool,
    page: input => (page ? page(tool.input.parse(input)) : '/'),
    run: (input, context) => tool.run(tool.input.parse(input), context),
  }
}
