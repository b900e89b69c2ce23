import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging } from '../primitives.ts'
import { CreatorName, KeyConfirmation, Namespace, NewNamespace } from './namespaces.schemas.ts'

export const namespacesEndpoints = endpoints('Creator', {
  listNamespaces: {
    route: 'GET /v1/creator/namespaces',
    summary: 'List the workspace’s namespaces',
    description: 'Namespaces in which this workspace may publish packages.',
    scope: 'creator:read',
    query: z.strictObject(paging(25)),
    response: page(Namespace),
    errors: ['invalid_cursor'],
  },
  createNamespace: {
    route: 'POST /v1/creator/namespaces',
    summary: 'Register a namespace',
    description:
      '422 for a reserved name or one within one edit of it; 409 for a name that is taken or too similar to a taken one. At most 20 per workspace.',
    scope: 'creator:write',
    status: 201,
    idempotent: 'stored',
    body: NewNamespace,
    response: Namespace,
    errors: ['conflict'],
  },
  confirmNamespaceKey: {
    route: 'POST /v1/creator/namespaces/{name}/confirm-key',
    summary: 'Confirm the key of a namespace',
    description:
      'For a signed-in owner who got the fingerprint from the author over another channel, such as a call. 422 if it is another key’s.',
    scope: 'creator:write',
    params: z.strictObject({ name: CreatorName }),
    body: KeyConfirmation,
    response: Namespace,
    errors: ['conflict', 'owner_session_required'],
  },
})
