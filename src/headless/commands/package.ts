import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { parseReply } from '../../contract/client-by-id.ts'
import { replaceFile, requireFree } from '../client/replace-file.ts'
import { type Finish, offline, onService, parseFlags, type Session } from '../client/session.ts'
import { blobOf } from '../client/upload.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'
import { readNamedFile } from '../read-named-file.ts'
import { messageOf } from '../../lib/message-of.ts'

const pollMs = 300

const InitFlags = z.object({
  namespace: z.string().default('my-team'),
  name: z.string().default('my-benchmark'),
  world: z.string().optional(),
})
const CheckFlags = z.object({ publicKey: z.string().optional() })
const PackFlags = z.object({ out: z.string().optional(), key: z.string().optional(), force: z.boolean().default(false) })

/** `assay package init | check | pack | upload`: for authors of benchmark packages. Only `upload` needs a running service. */
export function addPackage(program: Command, finish: Finish): void {
  const parent = program.command('package').description('write, check and pack a benchmark package')
  parent
    .command('init')
    .argument('[folder]', 'folder to write', '.')
    .description('write a package to start from')
    .option('--namespace <name>', 'namespace of the package')
    .option('--name <name>', 'name of the package')
    .option('--world <folder>', 'folder of an environment to package, as "assay world" writes it')
    .action(
      offline(finish, async (out, command) => {
        const { initPackage } = await import('../packages/init-package.ts')
        const folder = command.args[0] ?? '.'
        for (const file of initPackage(folder, parseFlags(InitFlags, command))) out.line(`Wrote ${file}`)
        out.note(`Next: assay package check ${folder}. Before the upload, register the namespace in Creator.`)
        return exitCodes.passed
      }),
    )
  parent
    .command('check')
    .argument('[path]', 'folder or zip of the package', '.')
    .description('run the checks of an upload, without one')
    .option('--public-key <file>', 'public key of the namespace in PEM, for a signed package')
    .action(
      offline(finish, async (out, command) => {
        const { checkPackage } = await import('../packages/check-package.ts')
        const { publicKey } = parseFlags(CheckFlags, command)
        return checkPackage(
          command.args[0] ?? '.',
          publicKey === undefined ? null : readNamedFile(publicKey, { option: '--public-key' }).toString(),
          out,
        )
      }),
    )
  parent
    .command('pack')
    .argument('[folder]', 'folder of the package', '.')
    .description('write the zip to upload, with the digests of its files')
    .option('--out <path>', 'zip to write, or the folder for it; default: NAMESPACE.NAME-VERSION.zip beside the manifest')
    .option('--key <file>', 'private Ed25519 key in PEM, to sign the package')
    .option('--force', 'replace the zip if it exists with other content')
    .action(
      offline(finish, async (out, command) => {
        const { packFolder } = await import('../packages/pack-folder.ts')
        const { out: target, key, force } = parseFlags(PackFlags, command)
        const folder = command.args[0] ?? '.'
        const { zip, manifest, paths, sha256 } = await packFolder(
          folder,
          key === undefined ? null : readNamedFile(key, { option: '--key' }).toString(),
        )
        const name = `${manifest.namespace}.${manifest.name}-${manifest.version}.zip`
        const place = target ?? folder
        const file = resolve(isFolder(place) ? join(place, name) : place)
        if (paths.some(path => isSameFile(join(folder, path), file)))
          throw new UsageError(`${file} is a file of the package. Name another with --out.`)
        await writeZip(file, zip, force)
        out.body({ file, bytes: zip.length, sha256 })
        out.line(`Wrote ${file}, ${zip.length} bytes, SHA-256 ${sha256}`)
        out.note(`Next: register the namespace "${manifest.namespace}" in Creator, unless it is, then assay package upload ${file}`)
        return exitCodes.passed
      }),
    )
  parent
    .command('upload')
    .argument('<file>', 'zip of the package')
    .description('upload a package and wait for its checks')
    .action(onService(finish, (session, command) => uploadPackage(session, argumentOf(command, 0))))
}

async function uploadPackage({ client, out }: Session, file: string): Promise<ExitCode> {
  const form = new FormData()
  form.append('file', await blobOf(file), basename(file))
  const reply = await client.send('/v1/creator/packages', { method: 'POST', body: form })
  const uploaded = parseReply('createPackage', { status: reply.status, text: await reply.text() })
  if (!('id' in uploaded)) throw new Error('The service answered a dry run, which was not asked for.')
  const params = { package_id: uploaded.id }
  let found = await client.call('getPackage', { params })
  while (found.status === 'uploaded' || found.status === 'validating') {
    out.progress(`${found.status}…`)
    await delay(pollMs)
    found = await client.call('getPackage', { params })
  }
  out.endProgress()
  out.body(found)
  out.line(`${found.id}  ${found.status}`)
  out.note(client.pageUrl(`/creator/packages/${found.id}`))
  return found.status === 'rejected' ? exitCodes.gateFailed : exitCodes.passed
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The same content again needs no `force`. @throws UsageError */
async function writeZip(file: string, zip: Buffer, force: boolean): Promise<void> {
  if (!force && isFile(file) && readFileSync(file).equals(zip)) return
  requireFree(file, force)
  try {
    await replaceFile(Readable.from([zip]), file)
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Links followed; both must exist. */
function isSameFile(one: string, other: string): boolean {
  return isFile(one) && isFile(other) && realpathSync(one) === realpathSync(other)
}
