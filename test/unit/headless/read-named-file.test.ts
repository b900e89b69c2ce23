import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/headless/exit-codes.ts'
import { readNamedFile } from '../../../src/headless/read-named-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const file = join(folder.path, 'a')

describe('a file that the command line names', () => {
  test('is read whole up to the limit', () => {
    const content = Buffer.alloc(200_000, 'é')
    writeFileSync(file, content)
    expect(readNamedFile(file, { mostBytes: content.length })).toEqual(content)
    expect(() => readNamedFile(file, { mostBytes: content.length - 1 })).toThrow(new UsageError(`The file ${file} is larger than 200 kB.`))
  })

  test('is refused by its size before it is read', () => {
    truncateSync(file, 2 ** 40)
    expect(() => readNamedFile(file)).toThrow('is larger than 16 MB')
  })

  test.skipIf(process.platform === 'win32')('may be a device without an end, which is given up, or a pipe', () => {
    expect(() => readNamedFile('/dev/zero')).toThrow(new UsageError('The file /dev/zero is larger than 16 MB.'))
    expect(readNamedFile('/dev/null')).toHaveLength(0)
    const module = new URL('../../../src/headless/read-named-file.ts', import.meta.url).href
    const read = `import(${JSON.stringify(module)}).then(({ readNamedFile }) => process.stdout.write(readNamedFile('/dev/stdin')))`
    expect(execFileSync('sh', ['-c', 'printf piped | "$0" -e "$1"', process.execPath, read]).toString()).toBe('piped')
    const long = execFileSync('sh', ['-c', 'head -c 300000 /dev/zero | "$0" -e "$1"', process.execPath, read])
    expect(long).toEqual(Buffer.alloc(300_000))
  })

  test.each([
    ['a folder', folder.path, 'illegal operation on a directory'],
    ['none', join(folder.path, 'none'), 'no such file or directory'],
  ])('%s is refused with the reason', (_, path, reason) => {
    expect(() => readNamedFile(path)).toThrow(new UsageError(`The file cannot be read: ${path}: ${reason}`))
    const named = () => readNamedFile(path, { option: '--moves' })
    expect(named).toThrow(new UsageError(`--moves: The file cannot be read: ${path}: ${reason}`))
  })
})
