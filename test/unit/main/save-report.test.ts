import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SaveDialogOptions } from 'electron'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseSaveRequest, saveFile } from '../../../src/main/save-report.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-save-'))
})
afterEach(() => rm(folder, { recursive: true }))

function portsThatChoose(filePath: string) {
  const ask = vi.fn(async (_options: SaveDialogOptions) => ({ canceled: filePath === '', filePath }))
  return { ask, folder: () => '/home/someone/Downloads', saved: vi.fn<(path: string) => void>() }
}

describe('saving', () => {
  test.each<[string, string | Uint8Array]>([
    ['text', 'a,b\n1,2\n'],
    ['bytes', new Uint8Array([0, 255, 10])],
  ])('writes %s where the user says and tells the page only the name', async (_kind, data) => {
    const path = join(folder, 'chosen.csv')
    const ports = portsThatChoose(path)
    expect(await saveFile({ suggestedName: 'scores.csv', data }, ports)).toEqual({ outcome: 'saved', name: 'chosen.csv' })
    expect(ports.saved.mock.calls).toEqual([[path]])
    expect(Uint8Array.from(await readFile(path))).toEqual(Uint8Array.from(Buffer.from(data)))
    expect(await readdir(folder)).toEqual(['chosen.csv'])
  })

  test('suggests a plain name in the folder for downloads, and the type by its extension', async () => {
    const ports = portsThatChoose('')
    await saveFile({ suggestedName: '../x/scores.csv', data: '' }, ports)
    expect(ports.ask.mock.calls[0]?.[0]).toMatchObject({
      defaultPath: join('/home/someone/Downloads', 'scores.csv'),
      filters: [{ name: 'Comma-separated values', extensions: ['csv'] }],
    })
  })

  test('writes nothing when the user cancels', async () => {
    expect(await saveFile({ suggestedName: 'a.csv', data: 'x' }, portsThatChoose(''))).toEqual({ outcome: 'cancelled' })
    expect(await readdir(folder)).toEqual([])
  })

  test('says why a file could not be written, and what to do', async () => {
    const outcome = await saveFile({ suggestedName: 'a.csv', data: 'x' }, portsThatChoose(join(folder, 'gone', 'a.csv')))
    expect(outcome).toEqual({
      outcome: 'failed',
      reason: 'a.csv could not be saved: that folder is no longer there. Choose another folder.',
    })
  })

  test('leaves what is there as it was, and nothing beside it, when the new file cannot take its place', async () => {
    const taken = join(folder, 'taken.csv')
    await mkdir(taken)
    await writeFile(join(taken, 'kept.txt'), 'old')
    const outcome = await saveFile({ suggestedName: 'a.csv', data: 'new' }, portsThatChoose(taken))
    expect(outcome.outcome).toBe('failed')
    expect(await readFile(join(taken, 'kept.txt'), 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['taken.csv'])
  })

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'says that a folder may not be written in (root may write anywhere, and Windows keeps no mode bits)',
    async () => {
      await chmod(folder, 0o500)
      const outcome = await saveFile({ suggestedName: 'a.csv', data: 'x' }, portsThatChoose(join(folder, 'a.csv')))
      await chmod(folder, 0o700)
      expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('you may not write in that folder') })
    },
  )
})

describe('what the page sends', () => {
  test.each([
    [[]],
    [['a.csv']],
    [['a.csv', 7]],
    [['a.csv', null]],
    [[7, 'x']],
    [['a.csv', ['x']]],
    [['a.csv', 'x', 'more']],
    [['a.csv', { length: 1 }]],
  ])('%j is refused', args => {
    expect(() => parseSaveRequest(args)).toThrow(TypeError)
  })

  test('is taken as text or bytes', () => {
    expect(parseSaveRequest(['a.csv', 'x'])).toEqual({ suggestedName: 'a.csv', data: 'x' })
    expect(parseSaveRequest(['a.csv', new Uint8Array([1])])).toEqual({ suggestedName: 'a.csv', data: new Uint8Array([1]) })
  })
})
