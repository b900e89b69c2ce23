/** A file of an answer; null where the reply names it without its bytes. */
export interface AnsweredFile {
  readonly base64: string | null
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {})
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const fileTypes: readonly unknown[] = ['image_url', 'image', 'audio', 'output_audio']

/** Files of a response as it is stored: JSON, or the events of a stream. */
export function storedFiles(response: string): readonly AnsweredFile[] {
  const whole = valueOf(response)
  if (whole !== null) return answeredFiles(whole)
  const events = response.split(/[\r\n]+/).flatMap(line => (line.startsWith('data:') ? [valueOf(line.slice('data:'.length))] : []))
  return events.flatMap(answeredFiles)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Images and recordings that a reply, or an event of one, holds beside its text, wherever its provider puts them. */
export function answeredFiles(reply: unknown): readonly AnsweredFile[] {
  const { choices, output, candidates } = fieldsOf(reply)
  // Chat completions: recordings of OpenAI, images of OpenRouter, parts of others.
  const inChoices = listOf(choices).flatMap(choice => {
    const { images, content, audio } = fieldsOf(choice['delta'] ?? choice['message'])
    const parts = listOf(content).filter(({ type }) => fileTypes.includes(type))
    return [...listOf(images), ...parts, ...(audio ? [fieldsOf(audio)] : [])]
  })
  // Responses.
  const drawn = listOf(output).filter(({ type }) => type === 'image_generation_call')
  const inCandidates = listOf(candidates).flatMap(({ content }) =>
    // Gemini, whose thoughts can be pictures too.
    listOf(fieldsOf(content)['parts']).flatMap(part =>
      part['thought'] !== true && (part['inlineData'] || part['fileData']) ? [fieldsOf(part['inlineData'])] : [],
    ),
  )
  return [...inChoices, ...drawn, ...inCandidates].map(file => ({ base64: base64In(file) }))
}

function base64In({ image_url: image, data, result, url, source }: Fields): string | null {
  const address = typeof image === 'string' ? image : (fieldsOf(image)['url'] ?? url)
  const [inline] = [data, result, fieldsOf(source)['data']].filter(text => typeof text === 'string')
  if (inline !== undefined) return inline
  return typeof address === 'string' ? (/^data:[^,]*;base64,(.*)$/s.exec(address)?.[1] ?? null) : null
}
