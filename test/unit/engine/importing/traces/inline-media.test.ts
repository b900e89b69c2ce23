import { describe, expect, test } from 'vitest'
import { InlineMedia } from '../../../../../src/engine/importing/traces/inline-media.ts'
import { mapOtlpSpan } from '../../../../../src/engine/importing/traces/otlp-span.ts'
import { toSpanRow } from '../../../../../src/engine/importing/traces/span-row.ts'
import { makeBomb, makePdf, makePng, makeWav } from '../../../../support/media.ts'

const png = makePng([1, 2, 3])
const uri = `data:image/png;base64,${png.toString('base64')}`
const digest = new InlineMedia().keep(uri)

describe('files within traces', () => {
  test.each([
    ['a text that is one', uri],
    ['base64 alone', png.toString('base64')],
  ])('leave their digest in place of %s', (_, text) => {
    expect(new InlineMedia().keep(text)).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  test('are found in JSON within a text, each stored once', () => {
    const inline = new InlineMedia()
    const parts = [
      { type: 'text', text: 'Same?' },
      { type: 'image_url', image_url: { url: uri } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
      { type: 'input_audio', input_audio: { format: 'wav', data: makeWav(200).toString('base64') } },
    ]
    const kept = inline.keep(JSON.stringify(parts))
    expect(JSON.parse(kept)).toMatchObject([
      { text: 'Same?' },
      { image_url: { url: digest } },
      { source: { data: digest } },
      { input_audio: { data: expect.stringMatching(/^sha256:/) } },
    ])
    expect(inline.files.map(({ file }) => file.media_type)).toEqual(['image/png', 'audio/wav'])
    expect(Buffer.from(inline.files[0]?.bytes ?? [])).toEqual(png)
  })

  test.each([
    ['what only begins like a file', `iVBORw0KGgo${'A'.repeat(100)}`],
    ['a picture of 60,000 × 60,000 pixels', makeBomb(60_000, 60_000).toString('base64')],
    [
      'a drawing with a script',
      `data:image/svg+xml;base64,${Buffer.from(`<svg><script>${' '.repeat(90)}</script></svg>`).toString('base64')}`,
    ],
    ['a picture in the midst of a text', `Look: ${uri} there`],
    // As PHP writes JSON: what follows the first escaped slash would be lost.
    [
      'base64 with escaped slashes',
      JSON.stringify(JSON.stringify({ data: `${png.toString('base64').slice(0, 80)}/x` })).replaceAll('/', '\\/'),
    ],
    ['a text', 'What is in /9j/ and UklGR and JVBERi0 of this long text, which is no file and has more than sixty characters?'],
  ])('stay as they are where they are %s', (_, text) => {
    const inline = new InlineMedia()
    expect(inline.keep(text)).toBe(text)
    expect(inline.files).toEqual([])
  })

  test.each<[string, object]>([
    ['OpenAI’s form', { type: 'image_url', image_url: { url: uri } }],
    ['Anthropic’s form', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } }],
    ['a blob of the conventions', { type: 'blob', modality: 'image', mime_type: 'image/png', content: png.toString('base64') }],
    ['Gemini’s form', { inlineData: { mimeType: 'image/png', data: png.toString('base64') } }],
    ['OpenInference’s form', { message_content: { type: 'image', image: { image: { url: uri } } } }],
  ])('are parts of the message in %s', (_, part) => {
    const inline = new InlineMedia()
    const content = JSON.stringify([{ role: 'user', content: [{ type: 'text', text: 'Colour?' }, part] }])
    const { input } = mapOtlpSpan({ attributes: { 'gen_ai.input.messages': inline.keep(content) } })
    expect(input).toEqual([{ role: 'user', content: 'Colour?', media: [{ type: 'image', media: digest }] }])
  })

  test.each<[string, object]>([
    ['a result of a tool', { type: 'tool_call_response', id: '1', response: { text: '42 rows', screenshot: uri } }],
    ['a part with a text of its own', { type: 'image_url', text: '42 rows', image_url: { url: uri } }],
    [
      'parts of a part',
      {
        type: 'tool_result',
        content: [
          { type: 'text', text: '42 rows' },
          { type: 'image', source: { data: uri } },
        ],
      },
    ],
  ])('leave the text of %s beside them', (_, part) => {
    const messages = new InlineMedia().keep(JSON.stringify([{ role: 'tool', content: [part] }]))
    const { input } = mapOtlpSpan({ attributes: { 'gen_ai.input.messages': messages } })
    expect(input).toMatchObject([{ content: expect.stringContaining('42 rows'), media: [{ type: 'image', media: digest }] }])
  })

  test('of one part are all kept', () => {
    const second = `data:image/png;base64,${makePng([4, 5, 6]).toString('base64')}`
    const part = { type: 'images', images: [{ url: uri }, { url: second }] }
    const messages = new InlineMedia().keep(JSON.stringify([{ role: 'user', content: [part] }]))
    expect(mapOtlpSpan({ attributes: { 'gen_ai.input.messages': messages } }).input[0]?.media).toHaveLength(2)
  })

  test('are 500 at most of one request, and more stay as they are', () => {
    const inline = new InlineMedia()
    const texts = Array.from({ length: 501 }, (_, i) => makePng([i % 256, i >> 8, 0]).toString('base64'))
    const kept = texts.map(inline.keep)
    expect(inline.files).toHaveLength(500)
    expect(kept.at(-1)).toBe(texts.at(-1))
  })

  test('are parts of LangSmith’s messages, recordings and documents by their kind', () => {
    const inline = new InlineMedia()
    const pdf = `data:application/pdf;base64,${makePdf(1).toString('base64')}`
    const run = {
      id: '0197a1de-0000-7000-8000-000000000001',
      trace_id: '0197a1de-0000-7000-8000-000000000001',
      run_type: 'llm',
      name: 'chat',
      start_time: '2026-11-01T10:00:00Z',
      inputs: {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'input_audio', input_audio: { format: 'wav', data: makeWav(200).toString('base64') } },
              { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
              { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
            ],
          },
        ],
      },
    }
    const kept = inline.keepIn(run)
    const [audio, document] = inline.files.map(({ file }) => file)
    expect(inline.of(kept)).toEqual([audio, document])
    expect(toSpanRow('langsmith', kept).inputPreview).toBe('[image_url] https://example.com/cat.png')
    expect(JSON.stringify(kept)).toContain(`"file_data":"${document?.digest}"`)
  })

  test('make a preview where a message is nothing else', () => {
    const kept = new InlineMedia().keepIn({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      startTimeUnixNano: '1000000',
      attributes: {
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: [{ type: 'image_url', image_url: { url: uri } }] }]),
      },
    })
    expect(toSpanRow('otlp', kept).inputPreview).toBe('[image]')
  })
})
