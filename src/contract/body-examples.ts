import type { z } from 'zod'
import type { EndpointTable } from './endpoint.ts'

/** An example of the JSON body, or of the form's text fields, for each operation of a table that takes one. */
export type BodyExamples<Table extends EndpointTable> = {
  readonly [Id in keyof Table as Table[Id] extends { readonly body: z.ZodType } | { readonly kind: 'raw' }
    ? Id
    : never]: Table[Id] extends {
    readonly body: infer Body extends z.ZodType
  }
    ? z.input<Body>
    : object
}
