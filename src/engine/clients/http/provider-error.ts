import { z } from 'zod'

/** The error that a provider reported, as far as it did. */
export interface ProviderError {
  readonly message: string | null
  /** A word such as `insufficient_quota`; from `code`, else from `type`. */
  readonly code: string | null
  /** HTTP status given inside the body, e.g. by gateways that answer 200 themselves. */
  readonly status: number | null
}

const Text = z.string().nullish().catch(null)
const Details = z.object({ message: Text, code: z.union([z.string(), z.int()]).nullish().catch(null), type: Text })

/** OpenAI and most: an object; Ollama: a string under `error`; vLLM: the object itself; FastAPI: `detail`. */
const ErrorBody = z.object({ error: z.union([z.string(), Details]).nullish().catch(null), object: Text, detail: Text })

/**
 * The error in a reply that should be an answer, or in the body of an error status.
 * @param expected Whether anything here is an error, so that looser forms count too.
 */
export function errorIn(value: unknown, expected: boolean): ProviderError | null {
  if (!expected && !mayHoldError(value)) return null
  const body = ErrorBody.safeParse(value)
  if (!body.success) return null
  const { error, object, detail } = body.data
  if (typeof error === 'object' && error !== null) return fromDetails(error)
  if (error) return { message: error, code: null, status: null }
  const bare = expected || object === 'error' ? Details.safeParse(value) : null
  if (!bare?.success) return null
  return fromDetails({ ...bare.data, message: bare.data.message ?? detail })
}

/** Spares every event of a stream the whole examination. */
function mayHoldError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('error' in value || ('object' in value && value.object === 'error'))
}

function fromDetails({ message, code, type }: z.infer<typeof Details>): ProviderError {
  const number = Number(code ?? Number.NaN)
  return {
    message: message ?? null,
    code: (typeof code === 'string' ? code : null) ?? type ?? null,
    status: Number.isInteger(number) && number >= 400 && number <= 599 ? number : null,
  }
}
