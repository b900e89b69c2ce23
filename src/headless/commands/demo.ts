import type { Command } from 'commander'
import { z } from 'zod'
import type { Api, OperationId } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import { followJob } from '../client/follow-job.ts'
import { whileInterruptible } from '../client/interrupts.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'

const Flags = z.object({ remove: z.boolean().default(false) })

/** `assay demo`: a workspace with finished things to look at, and its removal. */
export function addDemo(program: Command, finish: Finish): void {
  program
    .command('demo')
    .description('fill a workspace named Demo with finished runs, a comparison, a judge, a decision and more; works offline')
    .option('--remove', 'remove the demo with everything in it')
    .action(onService(finish, (session, command) => (parseFlags(Flags, command).remove ? removeDemo(session) : fillDemo(session))))
}

async function fillDemo(session: Session): Promise<ExitCode> {
  const { client, out } = session
  const started = await client.callAsOwner('startDemo', {})
  const within = inWorkspace(session, started.workspace.id)
  const job = await whileInterruptible(
    'The demo is still being filled. Press Ctrl+C again to leave; "assay demo --remove" stops and removes it.',
    () => out.endProgress(),
    () => followJob(within, started.job_id, 'Filling the demo'),
  )
  out.body({ ...started, state: job.state })
  if (job.state !== 'succeeded') {
    out.line(`The demo was not filled: ${job.error?.message ?? job.state}`)
    return exitCodes.error
  }
  out.line(`The demo is ready: ${client.pageUrl(`/?workspace=${started.workspace.id}`)}`)
  out.note('"assay open" signs a browser in. "assay demo --remove" removes the demo with everything in it.')
  return exitCodes.passed
}

async function removeDemo(session: Session): Promise<ExitCode> {
  const { client, out } = session
  const { workspaces } = await client.callAsOwner('getMe', {})
  const demo = workspaces.find(workspace => workspace.demo)
  if (!demo) {
    out.line('There is no demo.')
    return exitCodes.passed
  }
  await inWorkspace(session, demo.id).client.call('removeWorkspace', { params: { workspace_id: demo.id } })
  out.body({ removed: demo.id })
  out.line('The demo was removed with everything in it.')
  return exitCodes.passed
}

/** The same service, asked as the owner in another workspace. */
function inWorkspace(session: Session, id: string): Session {
  const { client } = session
  const call = <Id extends OperationId>(operation: Id, request: Request<Api[Id]>) =>
    client.callAsOwner(operation, Object.assign({}, request, { headers: { ...request.headers, 'x-workspace-id': id } }))
  return { ...session, client: { ...client, call } }
}
