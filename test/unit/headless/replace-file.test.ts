import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaceFile } from '../../../src/headless/client/replace-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a downloaded file', () => {
  test('takes the place of what was there, and leaves nothing beside it', async () => {
    const target = join(folder, 'result.xml')
    writeFileSync(target, 'old')
    await replaceFile(Readable.from(['new']), target)
    expect(readdirSync(folder)).toEqual(['result.xml'])
    expect(readFileSync(target, 'utf8')).toBe('new')
  })

  test('is never written through a link planted at its name or its partial name', async () => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'untouched')
    const target = join(folder, 'result.xml')
    for (const name of [target, `${target}.partial`]) symlinkSync(victim, name)
    await replaceFile(Readable.from(['new']), target)
    expect(readFileSync(victim, 'utf8')).toBe('untouched')
    expect(readFileSync(target, 'utf8')).toBe('new')
  })

  test('is absent after a failure, with nothing beside it', async () => {
    const broken = Readable.from(
      (function* () {
        yield 'half'
        throw new Error('the connection broke')
      })(),
    )
    await expect(replaceFile(broken, join(folder, 'result.xml'))).rejects.toThrow('the connection broke')
    expect(readdirSync(folder)).toEqual([])
  })
})
