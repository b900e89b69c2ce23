import { createHash } from 'node:crypto'
import type { ProbedCapability } from '../../contract/connections/connections.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { type MediaFile, MediaMissingError, type MediaSource } from './media-source.ts'
import type { CallOptions, ModelClient } from './model-client.ts'
import type { ProbeResult } from './probe-capability.ts'

/** One question about a file, and what is right. */
interface Question {
  readonly part: MediaPart
  readonly text: string
  readonly right: RegExp
}

const stored = new Map<string, MediaFile>()

function part(type: MediaPart['type'], mediaType: string, bytes: Buffer): MediaPart {
  const media = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  stored.set(media, { bytes, mediaType })
  return { type, media }
}

/** 64 × 64 pixels: some servers refuse pictures of fewer than 28 pixels a side. */
const blue = part(
  'image',
  'image/png',
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAb0lEQVR4nO3PAQkAAAyEwO9feoshgnABdNvJ8QUNyPEFDcjxBQ3I8QUNyPEFDcjxBQ3I8QUNyPEFDcjxBQ3I8QUNyPEFDcjxBQ3I8QUNyPEFDcjxBQ3I8QUNyPEFDcjxBQ3I8QUNyPEFDcjxBQ2oPcf88OIhvJ6vAAAAAElFTkSuQmCC',
    'base64',
  ),
)
const yellow = part(
  'image',
  'image/png',
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAdklEQVR4nO3PQQkAMAzAwPo33Yno4xgEIuAyu/N1XtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWjBsQcyl+HSnr9raQAAAABJRU5ErkJggg==',
    'base64',
  ),
)
const color = 'Which color is this picture? Answer with one word.'

const questions: Readonly<Record<'images' | 'audio' | 'documents', readonly Question[]>> = {
  // Two, since a model that sees nothing may guess one.
  images: [
    { part: blue, text: color, right: /\bblue\b/i },
    { part: yellow, text: color, right: /\byellow\b/i },
  ],
  audio: [
    {
      part: part('audio', 'audio/wav', tone(440, 200)),
      text: 'What is in this recording: speech, music or a tone? Answer with one word.',
      right: /\b(?:tone|beep)\b/i,
    },
  ],
  documents: [
    { part: part('document', 'application/pdf', page('juniper')), text: 'Which word is on this page? Answer with it.', right: /juniper/i },
  ],
}

/** The files that probes show. */
export const probeFiles: MediaSource = {
  read: async digest => {
    const file = stored.get(digest)
    if (!file) throw new MediaMissingError(digest)
    return file
  },
}

export function isMediaCapability(capability: ProbedCapability): capability is keyof typeof questions {
  return Object.hasOwn(questions, capability)
}

/** Shows the model small files and asks about them, since some servers take a file and drop it. @param client reads `probeFiles` */
export async function probeMedia(client: ModelClient, capability: keyof typeof questions, options: CallOptions): Promise<ProbeResult> {
  const answers: string[] = []
  for (const { part: shown, text, right } of questions[capability]) {
    const messages = [{ role: 'user' as const, content: [shown, { type: 'text' as const, text }] }]
    const outcome = await client.call({ messages, temperature: null, maxOutputTokens: 256, stop: [] }, options)
    if (!outcome.ok) return { capability, verified: false, detail: outcome.message }
    const said = `“${outcome.output.trim().slice(0, 60)}”`
    if (!right.test(outcome.output)) return { capability, verified: false, detail: `Asked “${text}”, the model answered ${said}.` }
    answers.push(said)
  }
  return { capability, verified: true, detail: `Asked about what it was shown, the model answered ${answers.join(' and ')}.` }
}

/** A WAV of one channel and 16 bits. */
function tone(hertz: number, ms: number): Buffer {
  const rate = 16_000
  const samples = (rate * ms) / 1000
  const file = Buffer.alloc(44 + samples * 2)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples * 2, 40)
  for (let i = 0; i < samples; i++) file.writeInt16LE(Math.round(16_000 * Math.sin((2 * Math.PI * hertz * i) / rate)), 44 + i * 2)
  return file
}

/** A PDF of one page with a word in large letters. */
function page(word: string): Buffer {
  const drawn = `BT /F1 36 Tf 72 100 Td (${word}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(`${file}${table}trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`, 'latin1')
}
