import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readServeOptions } from '../../../src/headless/config.ts'
import { selfSigned } from '../../engine/clients/self-signed-certificate.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let tls: string[]

beforeAll(() => {
  folder = temporaryFolder()
  const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')]
  writeFileSync(cert, selfSigned.cert)
  writeFileSync(key, selfSigned.key)
  tls = ['--tls-cert', cert, '--tls-key', key, '--origin', 'https://eval.example:4747']
})
afterAll(() => folder.remove())

const proxy = ['--behind-proxy', 'https://eval.example']
const wildcards = [
  '0.0.0.0',
  '::',
  '0',
  '0x0',
  '0.0',
  '::0',
  '::ffff:0.0.0.0',
  '',
  '０',
  '０.０.０.０',
  '0000.0.0.0',
  '*',
  'localhost',
  '::%lo',
]

describe('who may reach the service', () => {
  test('is localhost by default', () => {
    expect(readServeOptions([]).remote).toBeUndefined()
    expect(readServeOptions(['--host', '127.0.0.1']).remote).toBeUndefined()
  })

  test.each([...wildcards, '192.168.1.5', '10.0.0.1', 'fd00::1', '127.0.0.2'])('--host %j alone is refused', host => {
    expect(() => readServeOptions(['--host', host])).toThrow(/--host|--allow-remote/)
    expect(() => readServeOptions([`--host=${host}`, '--allow-remote'])).toThrow(/--host|--tls-cert/)
  })

  test.each(['0', '0x0', '0.0', '', '０', '::ffff:0.0.0.0', '*', 'localhost', '::%lo'])(
    '%j is no address, whatever stands beside it',
    host => {
      for (const way of [proxy, tls])
        expect(() => readServeOptions([`--host=${host}`, '--allow-remote', ...way])).toThrow('--host takes an IP address')
    },
  )

  test.each([
    ['--allow-remote with neither TLS nor a proxy', () => ['--allow-remote']],
    ['TLS without --allow-remote', () => tls],
    ['a proxy without --allow-remote', () => proxy],
    ['a certificate without its key', () => ['--allow-remote', '--tls-cert', tls[1] ?? '', '--origin', 'https://eval.example']],
    ['TLS without the name that it is for', () => ['--allow-remote', ...tls.slice(0, 4)]],
    ['TLS and a proxy at once', () => ['--allow-remote', ...tls, ...proxy]],
    ['a certificate that is not there', () => ['--allow-remote', '--tls-cert', 'nowhere.pem', ...tls.slice(2)]],
    ...['http://eval.example', 'eval.example', 'https://eval.example/path', 'https://u:p@eval.example', 'https://eval.example/?x'].map(
      origin => [`the origin ${origin}`, () => ['--allow-remote', '--behind-proxy', origin]] as const,
    ),
  ] as const)('%s is refused', (_what, args) => {
    expect(() => readServeOptions(args())).toThrow(/--/)
  })

  test('is everybody who knows the name, once TLS or a proxy with it is stated', () => {
    expect(readServeOptions(['--allow-remote', '--host', '::0', ...tls]).remote).toEqual({
      host: '::',
      origin: 'https://eval.example:4747',
      tls: selfSigned,
    })
    expect(readServeOptions(['--allow-remote', ...proxy]).remote).toEqual({ host: '127.0.0.1', origin: 'https://eval.example', tls: null })
  })

  test('find it at the port that was named to them: it moves on this machine alone', () => {
    expect(readServeOptions([]).portMayMove).toBe(true)
    expect(readServeOptions(['--port', '5000']).portMayMove).toBe(false)
    expect(readServeOptions(['--allow-remote', ...proxy]).portMayMove).toBe(false)
    expect(readServeOptions(['--allow-remote', ...tls]).portMayMove).toBe(false)
  })
})
