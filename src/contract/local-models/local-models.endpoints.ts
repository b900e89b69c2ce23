import { endpoints } from '../endpoint.ts'
import { LocalRuntime, RuntimeInstall } from './local-models.schemas.ts'

const tag = 'Local models'
const ownerOnly = 'For this machine’s owner and the key in service.json.'

export const localModelsEndpoints = endpoints({
  getLocalRuntime: {
    method: 'GET',
    path: '/v1/models/runtime',
    tag,
    summary: 'Read the runtime of local models',
    description: 'The runtime loads GGUF files on this machine. Makes no network request.',
    scope: 'models:read',
    status: 200,
    kind: 'json',
    response: LocalRuntime,
  },
  installLocalRuntime: {
    method: 'POST',
    path: '/v1/models/runtime',
    tag,
    summary: 'Install the runtime of local models',
    description: `${ownerOnly} Downloads what \`options\` states from \`host\`, or reads it from a folder, in the background. Every file is checked against Assay’s own lock; an install that fails leaves what was there. Repeating the request while it runs is safe.`,
    scope: 'models:write',
    status: 202,
    kind: 'json',
    body: RuntimeInstall,
    response: LocalRuntime,
    errors: ['owner_session_required'],
  },
  removeLocalRuntime: {
    method: 'DELETE',
    path: '/v1/models/runtime',
    tag,
    summary: 'Remove the runtime of local models',
    description: `${ownerOnly} Runs that use it pause. Repeating the request is safe.`,
    scope: 'models:write',
    status: 200,
    kind: 'json',
    response: LocalRuntime,
    errors: ['owner_session_required', 'conflict'],
  },
})
