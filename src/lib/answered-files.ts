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

/** A file as its provider writes it. */
interface WrittenFile {
  readonly base64: string | null
  /** Samples a second, where it is a recording that may have no header. */
  readonly rate: number | null
  readonly transcript?: unknown
}

/** Files of a response as it is stored: JSON, or the events of a stream. */
export function storedFiles(response: string): readonly AnsweredFile[] {
  const whole = valueOf(response)
  if (whole !== null) return answeredFiles(whole)
  const events = response.split(/[\r\n]+/).flatMap(line => (line.startsWith('data:') ? [valueOf(line.slice('data:'.length))] : []))
  // A recording of OpenAI comes in pieces, as do its words: one of each choice.
  const recordings = new Map<unknown, { readonly data: string[]; words: string }>()
  for (const { index, delta } of events.flatMap(event => listOf(fieldsOf(event)['choices']))) {
    const { data, transcript } = fieldsOf(fieldsOf(delta)['audio'])
    const pieces = recordings.get(index) ?? { data: [], words: '' }
    if (typeof data === 'string') pieces.data.push(data)
    if (typeof transcript === 'string') pieces.words += transcript
    recordings.set(index, pieces)
  }
  return [
    ...events.flatMap(event => writtenFiles(event, true)),
    ...[...recordings.values()].flatMap(({ data, words }) =>
      data.length === 0 ? [] : [{ base64: joined(data), rate: openAiRate, transcript: words }],
    ),
  ].map(shownFile)
}

/** One base64 of pieces: those of one text, or each with an end of its own. */
function joined(pieces: readonly string[]): string {
  const text = pieces.join('')
  if (bytesIn(text) !== null) return text
  const bytes = pieces.map(bytesIn)
  return bytes.includes(null) ? text : btoa(bytes.join(''))
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
  return writtenFiles(reply, false).map(shownFile)
}

/** How many files a reply holds; pieces of a recording count each. Nothing is decoded. */
export function countAnsweredFiles(reply: unknown): number {
  return writtenFiles(reply, false).length
}

/** @param isEvent of a stream, whose recordings are pieces and no files */
function writtenFiles(reply: unknown, isEvent: boolean): readonly WrittenFile[] {
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

function fileOf(file: Fields): WrittenFile {
  return { base64: base64In(file), rate: rateOf(file['mimeType']) }
}

/** Of OpenAI: a file by its header, or its `pcm16`. */
function recordingOf({ data, transcript }: Fields): WrittenFile {
  return { base64: typeof data === 'string' ? data : null, rate: openAiRate, transcript }
}

function shownFile({ base64, rate, transcript }: WrittenFile): AnsweredFile {
  return {
    base64: base64 !== null && rate !== null ? playable(base64, rate) : base64,
    ...(typeof transcript === 'string' && transcript !== '' && { transcript }),
  }
}

/** Samples a second of OpenAI's recordings without a header, `pcm16`. */
const openAiRate = 24_000

/** Samples a second of a recording without a header; null for any other file. */
function rateOf(mediaType: unknown): number | null {
  if (typeof mediaType !== 'string' || !/^audio\/(?:l16|pcm|x-pcm)\b/i.test(mediaType)) return null
  return Number(/rate=(\d{4,6})/i.exec(mediaType)?.[1] ?? openAiRate)
}

/** What a recording is by its first twelve bytes, a character each; null where they are of no such file, but may be samples. */
export function recordingType(head: string): 'audio/wav' | 'audio/mpeg' | 'audio/flac' | 'audio/ogg' | null {
  if (/^RIFF[^]{4}WAVE/.test(head)) return 'audio/wav'
  if (head.startsWith('fLaC')) return 'audio/flac'
  if (head.startsWith('OggS')) return 'audio/ogg'
  return /^(?:ID3|\xff[\xfb\xf3\xf2])/.test(head) ? 'audio/mpeg' : null
}

/**
 * A recording as a file: 16-bit samples of one channel, little-endian, are put under a header where they have none. What is not base64
 * stays as it is.
 */
function playable(base64: string, rate: number): string {
  const bytes = bytesIn(base64)
  if (bytes === null || recordingType(bytes.slice(0, 12)) !== null) return base64
  const number = (value: number, size: number): string =>
    String.fromCharCode(...Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 0xff))
  const format = number(1, 2) + number(1, 2) + number(rate, 4) + number(rate * 2, 4) + number(2, 2) + number(16, 2)
  return btoa(`RIFF${number(36 + bytes.length, 4)}WAVEfmt ${number(16, 4)}${format}data${number(bytes.length, 4)}${bytes}`)
}

/** A character for each byte; null where it is not base64. */
function bytesIn(base64: string): string | null {
  try {
    return atob(base64)
  } catch {
    return null
  }
}

function base64In({ image_url: image, data, result, url, source }: Fields): string | null {
  const address = typeof image === 'string' ? image : (fieldsOf(image)['url'] ?? url)
  const [inline] = [data, result, fieldsOf(source)['data']].filter(text => typeof text === 'string')
  if (inline !== undefined) return inline
  return typeof address === 'string' ? (/^data:[^,]*;base64,(.*)$/s.exec(address)?.[1] ?? null) : null
}
