import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import {
  LocalModel,
  LocalModelFolder,
  LocalModels,
  LocalModelSettings,
  LocalPath,
  LocalRuntime,
  RuntimeInstall,
} from './local-models.schemas.ts'

const ownerOnly = 'For this machine’s owner and the key in service.json.'

export const localModelsEndpoints = endpoints('Local models', {
  listLocalModels: {
    route: 'GET /v1/models/local',
    summary: 'List GGUF files on this machine',
    description:
      'Looks in added folders and those of LM Studio, Hugging Face, llama.cpp, Ollama, Jan and GPT4All; reads headers only. A model can be quoted once its identity is known.',
    scope: 'models:read',
    response: LocalModels,
  },
  identifyLocalModel: {
    route: 'POST /v1/models/local',
    summary: 'Make a GGUF file a model',
    description: `${ownerOnly} Computes the SHA-256 of the file, or of all parts, in the background; \`route_id\` is there when the job has ended. The file may lie anywhere. Repeating the request is safe.`,
    scope: 'models:write',
    status: 202,
    body: LocalPath,
    response: LocalModel,
    errors: ['owner_session_required'],
  },
  addLocalModelFolder: {
    route: 'POST /v1/models/local/folders',
    summary: 'Add a folder of GGUF files',
    description: `${ownerOnly} Folders below it are looked through, too. Adding a folder twice is safe.`,
    scope: 'models:write',
    status: 201,
    idempotent: 'stored',
    body: LocalPath,
    response: LocalModelFolder,
    errors: ['owner_session_required'],
  },
  removeLocalModelFolder: {
    route: 'DELETE /v1/models/local/folders/{folder_id}',
    summary: 'Remove an added folder',
    description: `${ownerOnly} Its files stay.`,
    scope: 'models:write',
    params: z.strictObject({ folder_id: Uuid }),
    response: LocalModels,
    errors: ['owner_session_required'],
  },
  updateLocalModelSettings: {
    route: 'PATCH /v1/models/local/settings',
    summary: 'Change how local models are loaded',
    description: `${ownerOnly} Models that are loaded keep their settings until they leave memory.`,
    scope: 'models:write',
    body: LocalModelSettings.partial(),
    response: LocalModelSettings,
    errors: ['owner_session_required'],
  },
  getLocalRuntime: {
    route: 'GET /v1/models/runtime',
    summary: 'Read the runtime of local models',
    description: 'The runtime loads GGUF files on this machine. Makes no network request.',
    scope: 'models:read',
    response: LocalRuntime,
  },
  installLocalRuntime: {
    route: 'POST /v1/models/runtime',
    summary: 'Install the runtime of local models',
    description: `${ownerOnly} Downloads what \`options\` states from \`host\`, or reads it from a folder, in the background. Every file is checked against Assay’s own lock; an install that fails leaves what was there. Repeating the request while it runs is safe.`,
    scope: 'models:write',
    status: 202,
    body: RuntimeInstall,
    response: LocalRuntime,
    errors: ['owner_session_required'],
  },
  removeLocalRuntime: {
    route: 'DELETE /v1/models/runtime',
    summary: 'Remove the runtime of local models',
    description: `${ownerOnly} Runs that use it pause. Repeating the request is safe.`,
    scope: 'models:write',
    response: LocalRuntime,
    errors: ['owner_session_required', 'conflict'],
  },
})
