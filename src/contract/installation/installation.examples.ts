import type { BodyExamples } from '../body-examples.ts'
import type { installationEndpoints } from './installation.endpoints.ts'

export const installationExamples: BodyExamples<typeof installationEndpoints> = {
  setInstallation: { workspace_creation: 'owner' },
  createPersonPairingCode: { person_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0a' },
}
