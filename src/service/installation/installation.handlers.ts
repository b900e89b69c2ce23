import { ApiError } from '../../contract/errors.ts'
import type { installationEndpoints } from '../../contract/installation/installation.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Kernel } from '../kernel.ts'
import type { Sessions } from '../sessions/index.ts'
import { findPerson } from './installation.store.ts'
import type { InstallationService } from './installation.service.ts'

export function installationHandlers(
  { db }: Pick<Kernel, 'db'>,
  installation: InstallationService,
  sessions: Sessions,
  baseUrl: () => string,
): Handlers<typeof installationEndpoints> {
  return {
    getInstallation: ({ principal }) => installation.read(principal),
    setInstallation: ({ principal }, { body }) => installation.set(principal, body.workspace_creation),
    createPersonPairingCode: ({ principal }, { body }) => {
      installation.requireOwner(principal, 'print pairing codes for people outside their workspace')
      const person = findPerson(db, body.person_id)
      if (!person) throw new ApiError('not_found', `There is no person "${body.person_id}" on this machine.`)
      const { code, expiresAt } = sessions.createPairingCode(person.id)
      return { code, expires_at: expiresAt, address: baseUrl() }
    },
  }
}
