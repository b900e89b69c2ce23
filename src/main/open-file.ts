import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { type BrowserWindow, dialog } from 'electron'
import { parseReply } from '../contract/client-by-id.ts'
import { ErrorBody } from '../contract/error.schemas.ts'
import type { Service } from '../service/config.ts'
import { authorization } from './call-service.ts'
import { messageOf } from '../lib/message-of.ts'

export interface FilePorts {
  readonly window: BrowserWindow
  readonly service: Pick<Service, 'baseUrl' | 'sessionToken' | 'workspaceId'>
  /** Shows one of Assay's pages. */
  readonly open: (path: string) => void
}

/** Takes in a file that was opened with Assay: asks first, since a click on a file is not yet a decision to add it. */
export async function openFile(path: string, ports: FilePorts): Promise<void> {
  const isPackage = /\.assay$/i.test(path)
  const name = basename(path)
  const { response } = await dialog.showMessageBox(ports.window, {
    type: 'question',
    message: isPackage ? `Add the benchmark package ${name}?` : `Add the model ${name}?`,
    detail: isPackage ? 'It is uploaded to Assay on this machine and checked. Nothing is published.' : 'The file stays where it is.',
    buttons: ['Cancel', 'Add'],
    defaultId: 1,
    cancelId: 0,
    noLink: true,
  })
  if (response !== 1) return
  try {
    ports.open(isPackage ? await addPackage(path, ports) : await addModel(path, ports))
  } catch (error) {
    if (ports.window.isDestroyed()) return
    const detail = messageOf(error)
    await dialog.showMessageBox(ports.window, { type: 'error', message: `Couldn’t add ${name}`, detail })
  }
}

async function addPackage(path: string, { service }: FilePorts): Promise<string> {
  const form = new FormData()
  form.set('file', await openAsBlob(path), basename(path))
  const reply = await post(service, '/v1/creator/packages', form)
  const made = parseReply('createPackage', { status: reply.status, text: await reply.text() })
  return 'id' in made ? `/creator/packages/${made.id}` : '/creator'
}

async function addModel(path: string, { service }: FilePorts): Promise<string> {
  const reply = await post(service, '/v1/models/local', JSON.stringify({ path }))
  if (!reply.ok)
    throw new Error(ErrorBody.safeParse(await reply.json()).data?.error.message ?? `The service answered with status ${reply.status}.`)
  return '/models/local'
}

function post(service: FilePorts['service'], address: string, body: FormData | string): Promise<Response> {
  return fetch(new URL(address, service.baseUrl), {
    method: 'POST',
    headers: {
      ...authorization(service),
      'idempotency-key': randomUUID(),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
  })
}
