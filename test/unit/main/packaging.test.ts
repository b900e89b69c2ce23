import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const project = new URL('../../../', import.meta.url)
const configuration: Record<string, unknown> = parse(readFileSync(new URL('resources/electron-builder.yml', project), 'utf8'))

describe('packaging', () => {
  it('sets every fuse to its safe side', () => {
    expect(configuration['electronFuses']).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
      loadBrowserProcessSpecificV8Snapshot: false,
    })
  })

  it('names only options and fuses that electron-builder knows', () => {
    const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
    // The schema that electron-builder itself checks with; to compile the whole of it takes seconds.
    const schema: { properties: object; definitions: Record<'FuseOptionsV1', { properties: object }> } =
      builder('app-builder-lib/scheme.json')
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(configuration)))
    expect(Object.keys(schema.definitions.FuseOptionsV1.properties)).toEqual(
      expect.arrayContaining(Object.keys(Object(configuration['electronFuses']))),
    )
  })

  it('compiles no native library: each platform has one that was made before', () => {
    expect(configuration).toMatchObject({ asar: true, npmRebuild: false, nodeGypRebuild: false })
  })

  it('brings one exact Electron of the last three major versions that were known when it was chosen', () => {
    const manifest: { devDependencies: Record<string, string> } = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'))
    const version = manifest.devDependencies['electron'] ?? ''
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    // 45 was the newest in November 2026.
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(43)
    expect(createRequire(import.meta.url)('electron/package.json')).toMatchObject({ version })
  })

  it('starts from the file that the build makes', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'))
    expect(manifest).toMatchObject({ main: 'out/main/index.js', productName: 'Assay', type: 'module' })
  })
})
