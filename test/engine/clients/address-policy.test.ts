import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { classifyHost } from '../../../src/engine/clients/addresses/classify-host.ts'
import { judgeUrl } from '../../../src/engine/clients/addresses/judge-url.ts'

const ownOrigin = 'http://127.0.0.1:4747'

describe('how far away a host is', () => {
  const hosts: Readonly<Record<string, readonly string[]>> = {
    loopback: [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '[::1]',
      '::ffff:127.0.0.1',
      'localhost',
      'LOCALHOST.',
      'app.localhost',
      'host.docker.internal',
    ],
    private: ['10.0.0.5', '172.16.0.1', '192.168.1.1', '::ffff:192.168.1.1', 'nas', 'nas.local', 'vllm.home.arpa'],
    shared: ['100.64.0.1', 'fd12:3456::1'],
    public: [
      '1.1.1.1',
      '::ffff:1.1.1.1',
      '2606:4700::1111',
      '64:ff9b::1.1.1.1',
      '2002:101:101::',
      'api.openai.com',
      'localhost.example.com',
    ],
    forbidden: [
      '0.0.0.0',
      '0.1.2.3',
      '::',
      '169.254.169.254',
      '169.254.1.1',
      '::ffff:169.254.169.254',
      'fe80::1',
      'fe80::1%eth0',
      'fd00:ec2::254',
      'fd20:ce::254',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'metadata.google.internal',
      'Metadata.Google.Internal.',
      'metadata',
      'instance-data',
      '224.0.0.1',
      'ff02::1',
      '255.255.255.255',
      '64:ff9b::127.0.0.1',
      '64:ff9b::10.0.0.1',
      '64:ff9b::169.254.169.254',
      '64:ff9b:1::1.1.1.1',
      '2002:7f00:1::',
      '2002:a9fe:a9fe::',
      '::ffff:0:127.0.0.1',
      '2001:0:1::1',
      '::7f00:1',
      '240.0.0.1',
      '198.18.0.1',
      '198.19.255.255',
      '192.88.99.1',
      '192.0.2.1',
      '203.0.113.9',
      '100::1',
      '2001:db8::1',
      'fec0::1',
      '::ffff:240.0.0.1',
      '64:ff9b::198.18.0.1',
    ],
  }
  const cases = Object.entries(hosts).flatMap(([reach, names]) => names.map(name => [name, reach] as const))

  test.each(cases)('%s is %s', (host, reach) => {
    expect(classifyHost(host).reach).toBe(reach)
  })
})

describe('an address policy', () => {
  const person = createAddressPolicy({ ownOrigin })
  const nobody = createAddressPolicy({ ownOrigin, reach: 'public' })

  test.each([
    'http://127.0.0.1:8000/v1',
    'http://192.168.1.9:1234/v1',
    'http://100.64.0.1',
    'https://api.openai.com/v1',
    'http://127.0.0.1:4748/v1',
  ])('lets a person call %s', url => {
    expect(person.refusal(new URL(url))).toBeNull()
  })

  test.each([
    [
      'http://169.254.169.254/latest',
      '169.254.169.254 is a link-local address, where clouds keep their credentials. Assay never calls it.',
    ],
    ['http://0x7f000001:4747/v1', 'Port 4747 of this machine is Assay itself. Enter the address of another server.'],
    ['http://localhost:4747', 'Port 4747 of this machine is Assay itself. Enter the address of another server.'],
    ['http://127.0.0.1:6379', 'Port 6379 belongs to another kind of service. Assay never calls it.'],
    ['https://api.example.com:22', 'Port 22 belongs to another kind of service. Assay never calls it.'],
    ['http://user@api.example.com', 'The address holds a user name or password. Store the key in the key field instead.'],
    ['http://api.example.com/#x', 'The address holds a fragment (#…), which no server ever sees. Remove it.'],
    ['file:///etc/passwd', 'An address starts with http:// or https://, not with file:.'],
  ])('never lets anybody call %s', (url, reason) => {
    expect(person.refusal(new URL(url))).toBe(reason)
    expect(nobody.refusal(new URL(url))).toBe(reason)
  })

  test.each(['http://127.0.0.1:8000', 'http://nas:8000', 'https://10.0.0.5', 'http://100.64.0.1', 'http://[fd12::1]'])(
    'keeps what nobody approved from %s',
    url => {
      expect(nobody.refusal(new URL(url))).toMatch(/may call public addresses only/)
    },
  )

  test('knows another machine’s port from its own', () => {
    expect(person.hostRefusal('192.168.1.9', 4747)).toBeNull()
    expect(person.hostRefusal('::ffff:127.0.0.1', 4747)).not.toBeNull()
  })
})

describe('an address as typed', () => {
  test.each([
    ['http://127.0.0.1\\@evil.test', 'a backslash'],
    ['http://exa\u00admple.com', 'a soft hyphen'],
    ['http://exa\u200bmple.com', 'a zero-width space'],
    ['http://127.0.0.1:8000/\tv1', 'a tab'],
    [' http://127.0.0.1', 'a blank in front'],
    ['http://evil.test#@127.0.0.1', 'a fragment'],
    ['127.0.0.1:8000', 'no scheme'],
    ['', 'nothing'],
  ])('%j is denied for %s', text => {
    expect(judgeUrl(text, { createdBy: 'human', ownOrigin }).decision).toBe('deny')
  })

  test('plain http is warned of away from this machine only', () => {
    expect(judgeUrl('http://127.0.0.1:8000/v1', { createdBy: 'human', ownOrigin })).toEqual({ decision: 'allow', warnings: [] })
    expect(judgeUrl('https://10.0.0.5/v1', { createdBy: 'human', ownOrigin })).toEqual({ decision: 'allow', warnings: [] })
    expect(judgeUrl('http://10.0.0.5/v1', { createdBy: 'human', ownOrigin })).toEqual({
      decision: 'allow',
      warnings: ['Plain http: the key and every prompt can be read on the way. Use https if the server offers it.'],
    })
  })

  test('an agent’s address waits for a person unless it is public https', () => {
    expect(judgeUrl('https://api.example.com/v1', { createdBy: 'agent', ownOrigin })).toEqual({ decision: 'allow', warnings: [] })
    expect(judgeUrl('http://127.0.0.1:8000/v1', { createdBy: 'agent', ownOrigin })).toEqual({
      decision: 'ask',
      reason: 'A person must approve http://127.0.0.1:8000, because it is this machine.',
      warnings: [],
    })
  })
})

const targetsUrl = new URL('../../../../shared/badinput/own/ssrf_targets.json', import.meta.url)

interface SsrfTarget {
  readonly url: string
  readonly cls: string
  readonly created_by_human: string
  readonly created_by_agent_or_import: string
}

describe.skipIf(!existsSync(targetsUrl))('the shared list of SSRF targets (skipped where the shared folder is absent)', () => {
  const targets = existsSync(targetsUrl) ? (JSON.parse(readFileSync(targetsUrl, 'utf8')) as SsrfTarget[]) : []
  const decisions: Readonly<Record<string, readonly [string, boolean | null]>> = {
    allow: ['allow', false],
    'allow+warn': ['allow', true],
    'allow+warn if http': ['allow', true],
    'pending human approval': ['ask', null],
    deny: ['deny', null],
  }
  const cases = targets.flatMap(({ url, cls, created_by_human, created_by_agent_or_import }) => [
    { url, cls, createdBy: 'human' as const, expected: created_by_human },
    { url, cls, createdBy: 'agent' as const, expected: created_by_agent_or_import },
  ])

  test('is whole', () => expect(cases.length).toBe(96))

  test.each(cases)('$cls $url, created by $createdBy: $expected', ({ url, createdBy, expected }) => {
    const verdict = judgeUrl(url.replace('{OWN_PORT}', '4747'), { createdBy, ownOrigin })
    const [decision, warns] = decisions[expected] ?? []
    expect(verdict.decision).toBe(decision)
    if (warns !== null && verdict.decision === 'allow') expect(verdict.warnings.length > 0).toBe(warns)
  })
})
