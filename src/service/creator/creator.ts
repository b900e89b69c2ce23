import type { Kernel } from '../kernel.ts'
import { namespacesHandlers } from './namespaces.handlers.ts'
import { createNamespaces } from './namespaces.service.ts'
import { packagesHandlers } from './packages.handlers.ts'
import { createPackages, type PackagesDependencies } from './packages.service.ts'

/** Packages of benchmarks and the namespaces they are published in. */
export function createCreator(kernel: Kernel, dependencies: PackagesDependencies) {
  const packages = createPackages(kernel, dependencies)
  return {
    handlers: { ...packagesHandlers(packages), ...namespacesHandlers(createNamespaces(kernel)) },
    start: packages.start,
  }
}
