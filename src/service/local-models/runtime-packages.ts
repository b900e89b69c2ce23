import type { RuntimeBackend } from '../../contract/local-models/local-models.schemas.ts'
import { commonPackages, type LockedPackage, nativePackages } from './runtime-lock.ts'

/** Builds of llama.cpp by platform and processor, as Node names them. */
const builds: Readonly<Record<string, Partial<Readonly<Record<RuntimeBackend, readonly string[]>>>>> = {
  'linux-x64': {
    cpu: ['linux-x64'],
    vulkan: ['linux-x64', 'linux-x64-vulkan'],
    cuda: ['linux-x64', 'linux-x64-cuda', 'linux-x64-cuda-ext'],
  },
  'linux-arm64': { cpu: ['linux-arm64'] },
  'darwin-arm64': { cpu: ['mac-arm64-metal'], metal: ['mac-arm64-metal'] },
  'darwin-x64': { cpu: ['mac-x64'] },
  'win32-x64': { cpu: ['win-x64'], vulkan: ['win-x64', 'win-x64-vulkan'], cuda: ['win-x64', 'win-x64-cuda', 'win-x64-cuda-ext'] },
  'win32-arm64': { cpu: ['win-arm64'] },
}

/** Backends for a machine, the one for everybody first; none where llama.cpp is not built for it. */
export function backendsFor(platform: string, arch: string): RuntimeBackend[] {
  const found = builds[`${platform}-${arch}`] ?? {}
  return (['cpu', 'metal', 'vulkan', 'cuda'] as const).filter(backend => found[backend] !== undefined)
}

/** What a backend consists of; null where there is none for the machine. */
export function packagesFor(backend: RuntimeBackend, platform: string, arch: string): LockedPackage[] | null {
  const names = builds[`${platform}-${arch}`]?.[backend]
  if (!names) return null
  return [...commonPackages, ...names.flatMap(name => nativePackages.filter(one => one.name === `@node-llama-cpp/${name}`))]
}

/** As `npm pack` names the file: without the scope’s mark. */
export function tarballName({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`
}

/** Path of a tarball below a registry. */
export function tarballPath({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `${name}/-/${name.split('/').at(-1) ?? name}-${version}.tgz`
}
