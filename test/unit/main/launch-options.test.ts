import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseLaunchOptions, withoutDataDir } from '../../../src/main/launch-options.ts'

describe('launch options', () => {
  test.each<[string[], { dataDir: string | null; port: number | null }]>([
    [[], { dataDir: null, port: null }],
    [['--data-dir', 'here', '--port', '0'], { dataDir: resolve('here'), port: 0 }],
    [['--data-dir=/d', '--port=5000'], { dataDir: '/d', port: 5000 }],
    [['--remote-debugging-port=0', '--inspect=0', '--no-first-run', 'file.html', '--data-dir=/d'], { dataDir: '/d', port: null }],
    [['--data-dir='], { dataDir: null, port: null }],
  ])('%j', (args, options) => {
    expect(parseLaunchOptions(args)).toEqual(options)
  })

  test.each(['65536', '-1', '1.5', 'x', '', '1e3'])('refuse the port %j', port => {
    expect(() => parseLaunchOptions([`--port=${port}`])).toThrow('--port takes a whole number from 0 to 65535')
  })

  test('lose the data folder, and only that, when the remembered one shall count', () => {
    expect(withoutDataDir(['.', '--data-dir', '/a', '--port', '0'])).toEqual(['.', '--port', '0'])
    expect(withoutDataDir(['.', '--data-dir=/a', '--port=0'])).toEqual(['.', '--port=0'])
  })
})
