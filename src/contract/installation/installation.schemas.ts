import { z } from 'zod'
import { Name, named, Uuid } from '../primitives.ts'

const WorkspaceCreation = z
  .enum(['everyone', 'owner'])
  .describe('Who may create workspaces on this machine: every signed-in person, or only its owner.')

export const Installation = named('Installation', {
  owner: z.strictObject({ id: Uuid, name: Name }).describe('The machine’s owner.'),
  is_owner: z.boolean().describe('Whether the caller is that person.'),
  workspace_creation: WorkspaceCreation,
  data_folder: z.string().nullable().describe('Absolute path of the folder that stores everything; null for others than the owner.'),
})
export type Installation = z.infer<typeof Installation>

export const PersonBody = named('PersonBody', { person_id: Uuid })

export const InstallationBody = named('InstallationBody', { workspace_creation: WorkspaceCreation })
