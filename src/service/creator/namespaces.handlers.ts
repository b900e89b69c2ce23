import type { namespacesEndpoints } from '../../contract/creator/namespaces.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Namespaces } from './namespaces.service.ts'

export function namespacesHandlers(namespaces: Namespaces): Handlers<typeof namespacesEndpoints> {
  return {
    listNamespaces: ({ workspaceId }, { query }) => namespaces.list(workspaceId, query),
    createNamespace: ({ workspaceId }, { body }) => namespaces.create(workspaceId, body),
    confirmNamespaceKey: (context, { params, body }) => namespaces.confirmKey(context, params.name, body),
  }
}
