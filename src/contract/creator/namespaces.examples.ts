import type { BodyExamples } from '../body-examples.ts'
import type { namespacesEndpoints } from './namespaces.endpoints.ts'

export const namespacesExamples: BodyExamples<typeof namespacesEndpoints> = {
  createNamespace: { name: 'acme-lab', title: 'ACME Lab', description: 'Benchmarks of the ACME research group' },
  confirmNamespaceKey: { key_fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
}
