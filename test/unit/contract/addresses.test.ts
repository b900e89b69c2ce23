import { expect, test } from 'vitest'
import { RuntimeInstall } from '../../../src/contract/local-models/local-models.schemas.ts'
import { NewWorld } from '../../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../../src/contract/worlds/worlds.examples.ts'

const example = NewWorld.parse(worldsExamples.createEnvironment)
const worldOf = (url: string) => ({
  ...example,
  tools: example.tools.map(tool => ({ ...tool, behavior: { kind: 'mcp', server: { url } } })),
})

test.each(['https://ada:secret@host.example/', 'https://token@host.example/mcp', 'http:ada:secret@host.example'])(
  'an address that is stored and shown as it is may not be %s',
  address => {
    expect(JSON.stringify(RuntimeInstall.safeParse({ registry: address }).error?.issues)).toContain('user name or password')
    expect(JSON.stringify(NewWorld.safeParse(worldOf(address)).error?.issues)).toContain('user name or password')
  },
)

test('an at sign behind the host is part of a path', () => {
  for (const address of ['https://host.example/@scope/mcp', 'https://host.example?to=a@b', 'https://host.example:8443/']) {
    expect(RuntimeInstall.safeParse({ registry: address }).success).toBe(true)
    expect(NewWorld.safeParse(worldOf(address)).success).toBe(true)
  }
})
