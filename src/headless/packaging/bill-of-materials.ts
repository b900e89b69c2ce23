import { v5 } from 'uuid'
import { z } from 'zod'
import { runNpm } from './stage-package.ts'

const Component = z.looseObject({ 'bom-ref': z.string(), name: z.string() })
const Bom = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string(), component: z.looseObject({ name: z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
})
const Lock = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })

/** Namespace of the serial numbers, so that equal contents have equal ones (RFC 9562, version 5). */
const serialNamespace = '4f0a4a0e-6f4e-5a6e-9d2f-0c1b4c6d7e8f'

/**
 * The software bill of materials as CycloneDX JSON: npm's own for the lock file, of which what is shipped is kept.
 * @param lockText the package's npm-shrinkwrap.json
 * @param builtIn packages whose code is in the built files
 * @param madeAt ISO 8601; the commit's, so that the same commit gives the same bytes
 */
export async function billOfMaterials(root: string, lockText: string, builtIn: readonly string[], madeAt: string): Promise<string> {
  const bom = Bom.parse(JSON.parse(await runNpm(root, ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'])))
  const installed = Object.entries(Lock.parse(JSON.parse(lockText)).packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version ?? ''}`)
  const isShipped = ({ 'bom-ref': ref, name }: z.infer<typeof Component>) => installed.includes(ref) || builtIn.includes(name)
  const components = bom.components.filter(isShipped).map(component => ({ ...component, scope: 'required' }))
  const kept = new Set(components.map(component => component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(other => kept.has(other)) }))
  const metadata = { ...bom.metadata, timestamp: madeAt, component: { ...bom.metadata.component, name: 'assay' } }
  const serialNumber = `urn:uuid:${v5(JSON.stringify(components), serialNamespace)}`
  return `${JSON.stringify({ ...bom, serialNumber, metadata, components, dependencies }, null, 2)}\n`
}
