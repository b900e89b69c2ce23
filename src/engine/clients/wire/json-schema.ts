import type { ToolDefinition } from '../model-client.ts'

/** A tool's parameters as JSON Schema, which every protocol with tools expects. */
export function parametersSchema({ parameters, schema }: ToolDefinition): Readonly<Record<string, unknown>> {
  if (schema) return schema
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, type, description, values }) => [name, { type, description, ...(values ? { enum: values } : {}) }]),
    ),
    required: parameters.map(({ name }) => name),
    additionalProperties: false,
  }
}
