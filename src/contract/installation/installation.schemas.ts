import { z } from 'zod'
import { Name, Uuid } from '../primitives.ts'

const WorkspaceCreation = z
  .enum(['everyone', 'owner'])
  .describe('Who may make workspaces on this machine: every signed-in person, or its owner alone.')

export const Installation = z
  .strictObject({
    owner: z.strictObject({ id: Uuid, name: Name }).describe('The person whom this machine belongs to.'),
    is_owner: z.boolean().describe('Whether the caller is that person.'),
    workspace_creation: WorkspaceCreation,
  })
  .meta({ id: 'Installation' })
export type Installation = z.infer<typeof Installation>

export const PersonBody = z.strictObject({ person_id: Uuid }).meta({ id: 'PersonBody' })

export const InstallationBody = z.strictObject({ workspace_creation: WorkspaceCreation }).meta({ id: 'InstallationBody' })
