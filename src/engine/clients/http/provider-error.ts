import { z } from 'zod'

/** The error that a provider reported, as far as it did. */
export interface ProviderError {
  /** Its own sentences; null where it says none. */
  readonly message: string | null
  /** A word such as `insufficient_quota`; from `code`, else from `type`. */
  readonly code: string | null
  /** HTTP status given inside the body, e.g. by gateways that answer 200 themselves. */
  readonly status: number | null
}

/** Members that hold an error or its sentence, the one that says most first. */
const sentenceMembers = [
  'error',
  'errors',
  'message',
  'Message',
  'msg',
  'detail',
  'details',
  'error_message',
  'errorMessage',
  'error_msg',
  'status_msg',
  'error_description',
  'description',
  'title',
  'reason',
  'err',
  'info',
  'cause',
  'fault',
  'faultstring',
  'innererror',
  'Response',
  'Error',
  'data',
  'result',
] as const

/** Objects within objects, and JSON within texts, that are followed. */
const mostLevels = 8
/** Sentences of a list of errors that are told. */
const mostSentences = 5
const longestNested = 100_000

const Word = z.union([z.string(), z.int()]).nullish().catch(null)
const Words = z.looseObject({ code: Word, type: Word, status: Word, error_code: Word, status_code: Word, __type: Word })
const BaseResponse = z.object({ base_resp: z.object({ status_code: z.int(), status_msg: z.string().optional() }) })

/**
 * The error in a reply that should be an answer, or in the body of an error status: OpenAI and most have an object, Ollama a string under
 * `error`, vLLM the object itself, Gemini’s OpenAI form a list, FastAPI `detail`, Mistral an object under `message`, Cloudflare `errors`,
 * Bedrock `Message`, others `msg`; OpenRouter has the upstream’s own words in `metadata.raw`.
 * @param expected Whether anything here is an error, so that looser forms count too; `perhaps`: it is not an answer, and what names itself a message counts.
 */
export function errorIn(value: unknown, expected: boolean | 'perhaps'): ProviderError | null {
  const found = expected ? value : reportedWithin(value)
  if (typeof found === 'string') return { message: found, code: null, status: null }
  if (typeof found !== 'object' || found === null) return null
  const said = sentencesIn(found, mostLevels, expected !== 'perhaps')
  const words = wordsIn(found)
  const numbers = words.map(Number).filter(number => Number.isInteger(number) && number >= 400 && number <= 599)
  return {
    message: said.length === 0 ? null : [...new Set(said)].slice(0, mostSentences).join('; '),
    code: words.find(word => Number.isNaN(Number(word))) ?? words[0] ?? null,
    status: numbers[0] ?? null,
  }
}

/** What in a reply with the status of a success says that it is an error; cheap, since every event of a stream is asked. */
function reportedWithin(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return value.length > 0 && isObject(value[0]) && 'error' in value[0] ? value : null
  if ('error' in value && isSomething(value.error)) return value
  if ('object' in value && value.object === 'error') return value
  if ('base_resp' in value) {
    // MiniMax: 0 is a success.
    const base = BaseResponse.safeParse(value)
    return base.success && base.data.base_resp.status_code !== 0 ? value : null
  }
  if (!('choices' in value)) return null
  const [choice]: unknown[] = Array.isArray(value.choices) ? value.choices : []
  return isObject(choice) && 'error' in choice && choice['error'] ? choice['error'] : null
}

/** Some servers have an empty error in every answer. */
const isSomething = (error: unknown): boolean => Boolean(error) && !(isObject(error) && Object.keys(error).length === 0)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The sentences of an error, without what names its kind. */
function sentencesIn(value: unknown, levels: number, isError = true): string[] {
  if (levels === 0) return []
  if (typeof value === 'string') return sentenceOf(value, levels)
  if (Array.isArray(value)) return value.slice(0, mostSentences).flatMap(item => sentencesIn(item, levels - 1, isError))
  // A message of a conversation is an answer in another protocol's form.
  if (!isObject(value) || 'role' in value) return []
  const { raw, previous_errors: previous } = isObject(value['metadata']) ? value['metadata'] : {}
  const upstream = [...sentencesIn(raw, levels - 1, isError), ...sentencesIn(previous, levels - 1, isError)]
  for (const name of sentenceMembers) {
    const said = sentencesIn(value[name], levels - 1, isError)
    if (said.length === 0) continue
    const place = name === 'msg' && Array.isArray(value['loc']) ? `${value['loc'].join('.')}: ` : ''
    return [...said.map(sentence => `${place}${sentence}`), ...explained(value, name), ...upstream]
  }
  if (upstream.length > 0) return upstream
  const within = sentencesIn(value['base_resp'], levels - 1, isError)
  // A list of errors by the names of fields, and what else has words.
  return within.length > 0 || !isError ? within : Object.values(value).flatMap(member => (isSentence(member) ? [String(member)] : []))
}

/** Spring and OAuth name the kind of an error beside its sentence. */
function explained(value: Readonly<Record<string, unknown>>, name: string): string[] {
  if (name !== 'error' || typeof value[name] !== 'string') return []
  return [value['message'], value['error_description']].flatMap(said =>
    typeof said === 'string' && said.trim() !== '' ? [said.trim()] : [],
  )
}

const isSentence = (value: unknown): boolean =>
  Array.isArray(value) ? isSentence(value[0]) : typeof value === 'string' && /\S \S/.test(value)

/** Gateways put the upstream’s JSON into a text of their own. */
function sentenceOf(text: string, levels: number): string[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  if (!/^[[{]/.test(trimmed) || trimmed.length > longestNested) return [trimmed]
  try {
    const said = sentencesIn(JSON.parse(trimmed), levels - 1)
    return said.length > 0 ? said : [trimmed]
  } catch {
    return [trimmed]
  }
}

/** Words and numbers that name the kind of an error, from the outside in. */
function wordsIn(value: unknown, levels = mostLevels): string[] {
  if (levels === 0) return []
  if (Array.isArray(value)) return wordsIn(value[0], levels - 1)
  const found = Words.safeParse(value)
  if (!found.success) return []
  const { code, type, status, error_code, status_code, __type, ...rest } = found.data
  const within = [rest['error'], rest['errors'], rest['base_resp'], rest['message']].flatMap(item => wordsIn(item, levels - 1))
  const own = [code, error_code, status_code, __type, type, status].flatMap(word =>
    word == null || word === 'error' ? [] : [String(word)],
  )
  return [...within, ...own]
}
