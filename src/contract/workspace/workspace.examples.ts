import type { BodyExamples } from '../body-examples.ts'
import type { workspaceEndpoints } from './workspace.endpoints.ts'

export const workspaceExamples: BodyExamples<typeof workspaceEndpoints> = {
  createWorkspace: { name: 'Research' },
  renameWorkspace: { name: 'Research and quality' },
  inviteMember: { name: 'Ada', role: 'member' },
  setMemberRole: { role: 'admin' },
}
