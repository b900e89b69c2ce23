import { describe, expect, test } from 'vitest'
import type { ConnectionCheck } from '../../../src/contract/connections/connections.schemas.ts'
import { checkParts, type TaskParts } from '../../../src/service/quotes/check-parts.ts'
import type { SelectedModel } from '../../../src/service/quotes/select-model.ts'

const model = { snapshot: { title: 'm', model: 'm', origin: null }, protocol: 'llama_cpp', tested: null } as unknown as SelectedModel // what the check reads
const image = { media_type: 'image/png', bytes: 3_000, width: 64, height: 64, duration_ms: null, pages: null } as const
const shown = (...media: TaskParts['media']): TaskParts => ({ shapes: media.map(() => ({ parts: ['user/image'], turns: 1 })), media })
const verdicts = (of: Partial<SelectedModel>, parts: TaskParts) =>
  checkParts({ ...model, ...of }, 'p', parts, 5).map(({ status, detail }) => `${status}: ${detail}`)
const of = (host: string): Partial<SelectedModel> => ({
  protocol: 'anthropic_messages',
  snapshot: { ...model.snapshot, origin: `https://${host}` },
})

describe('a quote over tasks with parts', () => {
  test('warns of tokens that it cannot count, and names once what a protocol cannot send', () => {
    const shapes = [
      { parts: ['user/image'], turns: 1 },
      { parts: ['user/document'], turns: 1 },
    ]
    const media = [[image], [{ ...image, media_type: 'application/pdf' as const }]]
    expect(verdicts({}, { shapes, media }).map(text => text.slice(0, 66))).toEqual([
      'fail: 1 of 5 tasks cannot be sent: m takes no documents (protocol ',
      'warn: 2 of 5 tasks contain images, audio or documents. Their token',
    ])
    expect(verdicts({ protocol: null }, { shapes, media })).toEqual([])
  })

  test('says by whose rule the tokens of files are counted, and how many are not', () => {
    const gpt = { protocol: 'openai_chat' as const, snapshot: { ...model.snapshot, model: 'gpt-4o' } }
    expect(verdicts(gpt, shown([image, image], [image]))).toEqual([
      'pass: 2 of 5 tasks contain images, audio or documents. Their tokens are counted by OpenAI’s rule (tokens: 85 and 170 per tile of 512 × 512 pixels); the upper bound takes the most that a provider states for one file.',
    ])
    expect(verdicts(gpt, shown([image, { ...image, media_type: 'application/pdf' }]))).toEqual([
      'warn: 1 of 5 tasks contain images, audio or documents. The tokens of 1 of 2 files are not in the count, since no counting rule is known for m; the upper bound takes the most that a provider states for one file.',
    ])
  })

  test('names types that the servers of a protocol do not read, and files that are not stored', () => {
    expect(verdicts({}, shown([{ ...image, media_type: 'image/webp' }], [image, null]))).toEqual([
      'fail: 1 of 5 tasks name files that are not stored. Import their data again.',
      expect.stringContaining('fail: 1 of 5 tasks cannot be sent: m takes no image/webp'),
      expect.stringContaining('warn: 2 of 5'),
    ])
  })

  test('counts images that are resized, and refuses where this machine cannot', () => {
    const large = { ...image, width: 4_032, height: 3_024 }
    const details = (most: number, resizeFault: string | null = null) =>
      checkParts(model, 'p', { ...shown([image], [large, image, large], [large]), resizeFault }, 5, most).map(
        ({ status, detail }) => `${status}: ${detail}`,
      )
    const found =
      '3 images in 2 of 5 tasks have more than the 1,000,000 pixels of the profile (max_image_pixels); the largest has 4,032 × 3,024.'
    expect(details(1_000_000)).toContain(`pass: ${found} They are resized before the call; each sample names both files.`)
    expect(details(1_000_000, 'The picture codec (sharp) does not load on this machine: no binary.')).toContain(
      `fail: ${found} They cannot be resized: The picture codec (sharp) does not load on this machine: no binary. Run on another machine, or use a profile without the limit.`,
    )
    expect(details(4_032 * 3_024)).toEqual([expect.stringContaining('3 of 5 tasks contain images')])
    // What a provider refuses by its sides is looked at as it is sent.
    const wide = [{ ...image, width: 9_000, height: 9 }]
    const sides = (most?: number) =>
      checkParts({ ...model, ...of('api.anthropic.com') }, 'p', shown(wide), 1, most).map(({ status }) => status)
    expect([sides(), sides(10_000)]).toEqual([
      ['fail', 'warn'],
      ['pass', 'warn'],
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
