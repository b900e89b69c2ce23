import { describe, expect, test } from 'vitest'
import type { ConnectionCheck } from '../../../src/contract/connections/connections.schemas.ts'
import { checkParts, type TaskParts } from '../../../src/service/quotes/check-parts.ts'
import type { SelectedModel } from '../../../src/service/quotes/select-model.ts'

const model = { snapshot: { title: 'm', origin: null }, protocol: 'llama_cpp', tested: null } as unknown as SelectedModel // what the check reads
const image = { media_type: 'image/png', bytes: 3_000, width: 64, height: 64, pages: null } as const
const shown = (...media: TaskParts['media']): TaskParts => ({ shapes: media.map(() => ({ parts: ['user/image'], turns: 1 })), media })
const verdicts = (of: Partial<SelectedModel>, parts: TaskParts) =>
  checkParts({ ...model, ...of }, 'p', parts, 5).map(({ status, detail }) => `${status}: ${detail}`)
const of = (host: string): Partial<SelectedModel> => ({
  protocol: 'anthropic_messages',
  snapshot: { ...model.snapshot, origin: `https://${host}` },
})

describe('a quote over tasks with parts', () => {
  test('warns of tokens that it cannot count, and names what a protocol cannot send', () => {
    const shapes = [
      { parts: ['user/image'], turns: 1 },
      { parts: ['user/document'], turns: 1 },
    ]
    const media = [[image], [{ ...image, media_type: 'application/pdf' as const }]]
    expect(verdicts({}, { shapes, media }).map(text => text.slice(0, 66))).toEqual([
      'fail: 1 of 5 tasks cannot be sent: m takes no documents (protocol ',
      'fail: 1 of 5 tasks cannot be sent: m takes no application/pdf (pro',
      'warn: 2 of 5 tasks contain images, audio or documents. Their token',
    ])
    expect(verdicts({ protocol: null }, { shapes, media })).toEqual([])
  })

  test('names types that the servers of a protocol do not read, and files that are not stored', () => {
    expect(verdicts({}, shown([{ ...image, media_type: 'image/webp' }], [image, null]))).toEqual([
      'fail: 1 of 5 tasks name files that are not stored. Import their data again.',
      expect.stringContaining('fail: 1 of 5 tasks cannot be sent: m takes no image/webp'),
      expect.stringContaining('warn: 2 of 5'),
    ])
  })

  test('fails by what the last check of the connection found, with its date', () => {
    const tested = (verified: boolean): Partial<SelectedModel> => ({
      tested: {
        checked_at: '2026-11-20T10:00:00.000Z',
        capabilities: [{ capability: 'images', verified, detail: 'It answered “red”.' }],
      } satisfies Pick<ConnectionCheck, 'checked_at' | 'capabilities'>,
    })
    expect(verdicts(tested(true), shown([image]))[0]).toBe('pass: m took images when it was checked on 2026-11-20.')
    expect(verdicts(tested(false), shown([image]))[0]).toBe(
      'fail: 1 of 5 tasks have images, which m did not take when it was checked on 2026-11-20: It answered “red”. Check the connection again, or choose another model.',
    )
    const untested = { tested: { checked_at: '2026-11-20T10:00:00.000Z', capabilities: [] } }
    expect(verdicts(untested, shown([image]))[0]).toContain('warn: Whether m takes images is not known')
  })

  test.each([
    ['warns from 101 images', Array.from({ length: 101 }, () => image), 'warn', 'at most 100 images in one request for models with a'],
    ['refuses 601 images', Array.from({ length: 601 }, () => image), 'fail', 'at most 600 images in one request; found up to 601'],
    [
      'refuses an image of 7.6 MB, which is more in base64',
      [{ ...image, bytes: 7_600_000 }],
      'fail',
      'at most 10 MB per image in base64; found',
    ],
    ['refuses 8,001 pixels', [{ ...image, width: 8_001 }], 'fail', 'at most 8,000 pixels per side of an image; found up to 8,001'],
    ['refuses large ones among many', Array.from({ length: 21 }, () => ({ ...image, height: 2_001 })), 'fail', 'more than 20 images'],
    ['refuses 32 MB', Array.from({ length: 4 }, () => ({ ...image, bytes: 7_000_000 })), 'fail', 'at most 32 MB of files in base64'],
  ] as const)('%s of Anthropic', (_, files, status, text) => {
    const found = verdicts(of('api.anthropic.com'), shown(files))
    expect(found.find(one => one.includes(text))).toMatch(new RegExp(`^${status}: 1 of 5 tasks pass a limit of Anthropic`))
  })

  test('only warns of limits that another host of the protocol may not have, and knows none of an unknown server', () => {
    const large = shown([{ ...image, width: 8_001 }])
    expect(verdicts(of('models.example'), large)[0]).toMatch(/^warn: .*Another server of this protocol may have other limits\.$/)
    expect(verdicts({ ...of('models.example'), protocol: 'openai_chat' }, large)).toEqual([expect.stringContaining('contain images')])
    expect(verdicts(of('api.anthropic.com'), shown([image]))).toEqual([expect.stringContaining('contain images')])
  })
})
