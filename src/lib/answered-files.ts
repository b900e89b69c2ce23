/** A file of an answer; null where the reply names it without its bytes. */
export interface AnsweredFile {
  readonly base64: string | null
  /** What is said in a recording, where its provider writes it. */
  readonly transcript?: string
}

type Fields = Readonly<Record<string, unknown>>

// Every runtime has them, and the types that all of them share do not.
declare function atob(base64: string): string
declare function btoa(bytes: string): string

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {})
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const fileTypes: readonly unknown[] = ['image_url', 'image', 'audio', 'output_audio']

/** Files of a response as it is stored: JSON, or the events of a stream. */
export function storedFiles(response: string): readonly AnsweredFile[] {
  const whole = valueOf(response)
  if (whole !== null) return answeredFiles(whole)
  const events = response.split(/[\r\n]+/).flatMap(line => (line.startsWith('data:') ? [valueOf(line.slice('data:'.length))] : []))
  const others = events.flatMap(event => filesIn(event, true))
  // A recording of OpenAI comes in pieces, as do its words.
  const pieces = events.flatMap(event => listOf(fieldsOf(event)['choices'])).map(({ delta }) => fieldsOf(fieldsOf(delta)['audio']))
  const bytes = pieces.map(({ data }) => (typeof data === 'string' ? bytesIn(data) : '')).join('')
  const words = pieces.map(({ transcript }) => (typeof transcript === 'string' ? transcript : '')).join('')
  return bytes === '' ? others : [...others, described(playable(btoa(bytes), openAiRate), words)]
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
  return filesIn(reply, false)
}

/** @param isEvent of a stream, whose recordings are pieces and no files */
function filesIn(reply: unknown, isEvent: boolean): readonly AnsweredFile[] {
  const { choices, output, candidates } = fieldsOf(reply)
  // Chat completions: recordings of OpenAI, images of OpenRouter, parts of others.
  const inChoices = listOf(choices).flatMap(choice => {
    const { images, content, audio } = fieldsOf(choice['delta'] ?? choice['message'])
    const parts = listOf(content).filter(({ type }) => fileTypes.includes(type))
    const isWhole = audio && !(isEvent && choice['delta'])
    return [...[...listOf(images), ...parts].map(fileOf), ...(isWhole ? [recordingOf(fieldsOf(audio))] : [])]
  })
  const inOutput = listOf(output).flatMap(item =>
    item['type'] === 'image_generation_call'
      ? [fileOf(item)]
      : listOf(item['content']).flatMap(part => (part['type'] === 'output_audio' ? [recordingOf(part)] : [])),
  )
  const inCandidates = listOf(candidates).flatMap(({ content }) =>
    // Gemini, whose thoughts can be pictures too.
    listOf(fieldsOf(content)['parts']).flatMap(part =>
      part['thought'] !== true && (part['inlineData'] || part['fileData']) ? [fileOf(fieldsOf(part['inlineData']))] : [],
    ),
  )
  return [...inChoices, ...inOutput, ...inCandidates]
}

function fileOf(file: Fields): AnsweredFile {
  const base64 = base64In(file)
  const rate = rateOf(file['mimeType'])
  return { base64: base64 !== null && rate !== null ? playable(base64, rate) : base64 }
}

/** Of OpenAI: a file by its header, or its `pcm16`. */
function recordingOf({ data, transcript }: Fields): AnsweredFile {
  return described(typeof data === 'string' ? playable(data, openAiRate) : null, transcript)
}

function described(base64: string | null, transcript: unknown): AnsweredFile {
  return { base64, ...(typeof transcript === 'string' && transcript !== '' && { transcript }) }
}

/** Samples a second of OpenAI's recordings without a header, `pcm16`. */
const openAiRate = 24_000

/** Samples a second of a recording without a header; null for any other file. */
function rateOf(mediaType: unknown): number | null {
  if (typeof mediaType !== 'string' || !/^audio\/(?:l16|pcm|x-pcm)\b/i.test(mediaType)) return null
  return Number(/rate=(\d{4,6})/i.exec(mediaType)?.[1] ?? openAiRate)
}

/** A recording as a file: 16-bit samples of one channel, little-endian, are put under a header where they have none. */
function playable(base64: string, rate: number): string {
  const bytes = bytesIn(base64)
  if (/^(?:RIFF|ID3|fLaC|OggS|\xff[\xe0-\xff])/.test(bytes)) return base64
  const number = (value: number, size: number): string =>
    String.fromCharCode(...Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 0xff))
  const format = number(1, 2) + number(1, 2) + number(rate, 4) + number(rate * 2, 4) + number(2, 2) + number(16, 2)
  return btoa(`RIFF${number(36 + bytes.length, 4)}WAVEfmt ${number(16, 4)}${format}data${number(bytes.length, 4)}${bytes}`)
}

/** A character for each byte; empty where it is not base64. */
function bytesIn(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

function base64In({ image_url: image, data, result, url, source }: Fields): string | null {
  const address = typeof image === 'string' ? image : (fieldsOf(image)['url'] ?? url)
  const [inline] = [data, result, fieldsOf(source)['data']].filter(text => typeof text === 'string')
  if (inline !== undefined) return inline
  return typeof address === 'string' ? (/^data:[^,]*;base64,(.*)$/s.exec(address)?.[1] ?? null) : null
}
