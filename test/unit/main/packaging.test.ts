import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { linkScheme } from '../../../src/main/open-target.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { appUserModelId } = await import('../../../src/main/desktop.ts')

const project = new URL('../../../', import.meta.url)
const configuration: Record<string, unknown> = parse(readFileSync(new URL('resources/electron-builder.yml', project), 'utf8'))

const Part = z.looseObject({
  target: z.array(z.object({ arch: z.array(z.string()) })),
  icon: z.string(),
  files: z.array(z.string()),
})

/** Width and height in the header of a PNG. */
const pixels = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)]

describe('packaging', () => {
  test('sets every fuse to its safe side', () => {
    expect(configuration['electronFuses']).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
      loadBrowserProcessSpecificV8Snapshot: false,
      // Without a certificate, Apple silicon would start nothing whose fuses were flipped.
      resetAdHocDarwinSignature: true,
    })
  })

  test('names only options and fuses that electron-builder knows', () => {
    const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
    // The schema that electron-builder itself checks with; to compile the whole of it takes seconds.
    const schema: { properties: object; definitions: Record<'FuseOptionsV1', { properties: object }> } =
      builder('app-builder-lib/scheme.json')
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(configuration)))
    expect(Object.keys(schema.definitions.FuseOptionsV1.properties)).toEqual(
      expect.arrayContaining(Object.keys(Object(configuration['electronFuses']))),
    )
  })

  test('has what a deb is refused without, and depends on the C library that the native library needs', async () => {
    expect(configuration).toMatchObject({
      extraMetadata: { homepage: expect.stringMatching(/^https:/) },
      linux: { maintainer: expect.stringMatching(/<\S+@\S+>/), icon: 'resources/icons/linux' },
      deb: { depends: expect.arrayContaining(['libc6 (>= 2.34)', 'libsecret-1-0']) },
    })
    const codec = new URL('node_modules/@img/sharp-libvips-linux-x64/lib/', project)
    const libraries = [
      new URL('node_modules/better-sqlite3/prebuilds/linux-x64.node', project),
      // Another system has another one.
      ...(existsSync(codec) ? readdirSync(codec).filter(name => name.includes('.so')) : []).map(name => new URL(name, codec)),
    ]
    for (const library of libraries) {
      const versions = [...readFileSync(library, 'latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
      expect(Math.max(...versions)).toBeLessThanOrEqual(34)
    }
  })

  test('makes AppImages with the runtime that needs no FUSE 2', () => {
    expect(configuration['toolsets']).toEqual({ appimage: '1.0.3' })
  })

  test.each(['linux', 'mac', 'win'])('lists the processors of %s, and has an icon for it', platform => {
    const { target, icon, files } = Part.parse(configuration[platform])
    for (const { arch } of target) expect(arch.toSorted()).toEqual(['arm64', 'x64'])
    expect(existsSync(new URL(icon, project))).toBe(true)
    expect(files).toEqual([
      'package.json',
      expect.stringMatching(/^!.*prebuilds\/!\((?:linux|darwin|win32)-\$\{arch\}\.node\)$/),
      expect.stringMatching(/^!.*@img\/sharp-!\((?:linux|darwin|win32)-\$\{arch\}(?:\|libvips-(?:linux|darwin)-\$\{arch\})?\)\/\*\*$/),
    ])
  })

  test('opens packages, models and links, asks for the local network, and is the app whose windows Windows groups', () => {
    expect(configuration).toMatchObject({
      fileAssociations: [{ ext: 'assay' }, { ext: 'gguf' }],
      protocols: [{ schemes: [linkScheme] }],
      mac: { hardenedRuntime: true, extendInfo: { NSLocalNetworkUsageDescription: expect.stringContaining('local network') } },
      appId: appUserModelId,
    })
  })

  test('has icons as each system takes them', () => {
    const icon = (name: string) => readFileSync(new URL(`resources/icons/${name}`, project))
    const sizes = [16, 32, 48, 64, 128, 256, 512]
    for (const size of sizes) expect(pixels(icon(`linux/${size}x${size}.png`))).toEqual([size, size])
    expect([pixels(icon('icon.png')), pixels(icon('tray.png')), pixels(icon('trayTemplate@2x.png'))]).toEqual([
      [512, 512],
      [22, 22],
      [36, 36],
    ])
    const icns = icon('icon.icns')
    expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
    expect(icns.includes('ic10')).toBe(true)
    const ico = icon('icon.ico')
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, 7])
  })

  test('compiles no native library: each platform has one that was made before', () => {
    expect(configuration).toMatchObject({ asar: true, npmRebuild: false, nodeGypRebuild: false })
  })

  test('brings one exact Electron of the last three major versions that were known when it was chosen', () => {
    const manifest: { devDependencies: Record<string, string> } = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'))
    const version = manifest.devDependencies['electron'] ?? ''
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    // 45 was the newest in November 2026.
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(43)
    expect(createRequire(import.meta.url)('electron/package.json')).toMatchObject({ version })
  })

  test('starts from the file that the build makes', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'))
    expect(manifest).toMatchObject({ main: 'out/main/index.js', productName: 'Assay', type: 'module' })
  })
})
