import { endpoints } from '../endpoint.ts'
import { PairingCode } from '../sessions/sessions.schemas.ts'
import { Installation, InstallationBody, PersonBody } from './installation.schemas.ts'

export const installationEndpoints = endpoints('Installation', {
  getInstallation: {
    route: 'GET /v1/installation',
    summary: 'Read the machine’s owner and who may create workspaces',
    description: 'Settings that hold for every workspace of this service.',
    scope: 'principal',
    response: Installation,
  },
  setInstallation: {
    route: 'PATCH /v1/installation',
    summary: 'Change who may create workspaces on this machine',
    description: 'For a session of this machine’s owner.',
    scope: 'principal',
    body: InstallationBody,
    response: Installation,
    errors: ['owner_session_required'],
  },
  createPersonPairingCode: {
    route: 'POST /v1/installation/pairing-codes',
    summary: 'Create a pairing code for any user of this machine',
    description:
      'For a session of this machine’s owner. For people who were signed out on removal from a workspace and still belong to others.',
    scope: 'principal',
    status: 201,
    idempotent: 'sealed',
    body: PersonBody,
    response: PairingCode,
    errors: ['not_found', 'owner_session_required'],
  },
})
