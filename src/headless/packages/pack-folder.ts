import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { PackageManifest } from '../../contract/creator/manifest.schemas.ts'
import { createZip } from '../../engine/archives/write-zip.ts'
import { preAuthEncoding } from '../../engine/importing/packages/checks/signature.ts'
import { croissantPath } from '../../engine/importing/packages/croissant/croissant-terms.ts'
import { pathOf } from '../../engine/importing/packages/croissant/read-files.ts'
import { openPackage, signaturePath } from '../../engine/importing/packages/open-package.ts'
import { packagedWorld } from '../../engine/importing/packages/package-world.ts'
import { PackageFault } from '../../engine/importing/packages/package-fault.ts'
import { manifestPath } from '../../engine/importing/packages/read-manifest.ts'
import { sha256 } from '../../engine/importing/packages/sha256.ts'
import { tasksFile, toolsFolder, worldFile } from '../../engine/importing/worlds/read-world-folder.ts'
import { UsageError } from '../exit-codes.ts'
import { isInside } from '../is-inside.ts'
import { messageOf } from '../../lib/message-of.ts'

/** The part of a manifest that packing needs; the rest is checked when the zip is opened. Without splits, a Croissant description names the files. */
const Named = z.looseObject({
  splits: z
    .looseObject({ test: z.looseObject({ file: z.string() }), canonical: z.looseObject({ file: z.string() }).optional() })
    .optional(),
  assets: z.array(z.looseObject({ path: z.string() })).optional(),
  world: z.looseObject({ files: z.array(z.looseObject({ file: z.string() })).optional() }).optional(),
})

/** The part of a Croissant description that packing needs. */
const Described = z.looseObject({ distribution: z.array(z.looseObject({ contentUrl: z.string().optional() })) })

export interface PackedFolder {
  readonly zip: Buffer
  readonly sha256: string
  readonly manifest: PackageManifest
  /** Paths in the folder of what was packed. */
  readonly paths: readonly string[]
}

/**
 * Packs the files that a folder's manifest names, with their digests. The same files give the same bytes.
 * @param privateKey Ed25519 in PEM, to sign with; null for an unsigned package
 * @throws UsageError
 */
export async function packFolder(folder: string, privateKey: string | null): Promise<PackedFolder> {
  const manifest = readNamed(join(folder, manifestPath), Named, `Write one: assay package init ${folder}`)
  const contents = new Map<string, Buffer>()
  const digestOf = (path: string): string => {
    const content = readInside(folder, path)
    contents.set(path, content)
    return sha256(content)
  }
  const { splits, assets, world } = manifest
  if (world) world.files = worldFiles(folder).map(file => ({ file, sha256: digestOf(file) }))
  if (splits) splits.test['sha256'] = digestOf(splits.test.file)
  if (splits?.canonical) splits.canonical['sha256'] = digestOf(splits.canonical.file)
  for (const asset of assets ?? []) asset['sha256'] = digestOf(asset.path)
  if (!splits && !world) contents.set(croissantPath, describedFiles(folder, digestOf))
  const files = new Map([[manifestPath, jsonFile(manifest)], ...contents])
  if (privateKey !== null) files.set(signaturePath, signatureOver(files, readKey(privateKey)))
  const chunks: Uint8Array[] = []
  const archive = createZip(chunk => void chunks.push(chunk))
  for (const [path, content] of files) await archive.add(path, content)
  await archive.end()
  const zip = Buffer.concat(chunks)
  try {
    const opened = openPackage(zip)
    return { zip, sha256: opened.sha256, manifest: opened.manifest, paths: [...files.keys()] }
  } catch (error) {
    if (error instanceof PackageFault) throw new UsageError(error.message)
    throw error
  }
}

/** The files of a package's world that `assay world` reads. */
function worldFiles(folder: string): string[] {
  const paths = (under: string) => {
    const place = join(folder, packagedWorld, under)
    return existsSync(place)
      ? readdirSync(place)
          .sort()
          .map(name => `${under}${name}`)
      : []
  }
  const sources = [...paths(`${toolsFolder}/`), ...paths('cassettes/')].filter(path => /\.(?:js|jsonl)$/.test(path))
  return [worldFile, tasksFile, ...sources].map(path => `${packagedWorld}/${path}`)
}

/** The Croissant description with the digests of its files. What is not a file of the folder is refused when the zip is opened. */
function describedFiles(folder: string, digestOf: (path: string) => string): Buffer {
  const description = readNamed(
    join(folder, croissantPath),
    Described,
    `Write it, or name the tasks as "splits" and "fields" in ${manifestPath}.`,
  )
  for (const file of description.distribution) {
    const path = file.contentUrl === undefined ? null : pathOf(file.contentUrl)
    if (path !== null) file['sha256'] = digestOf(path)
  }
  return jsonFile(description)
}

function jsonFile(json: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(json, null, 2)}\n`)
}

function readNamed<T>(path: string, schema: z.ZodType<T>, advice: string): T {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`There is no ${path}. ${advice}`)
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new UsageError(`${path} cannot be used: ${message}`)
  }
}

/** A file of the folder. A manifest that somebody else wrote must not take files from elsewhere, by ".." or by a link. */
function readInside(folder: string, path: string): Buffer {
  try {
    if (!isInside(folder, path))
      throw new UsageError(`The manifest names "${path}", which is outside of the folder. Move the file into it.`)
    return readFileSync(join(folder, path))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The manifest names "${path}", which cannot be read: ${messageOf(error)}`)
  }
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below: whatever is wrong with it, it cannot be used.
  }
  throw new UsageError('--key must be an Ed25519 private key in PEM: openssl genpkey -algorithm ed25519 -out key.pem')
}

/** A DSSE envelope with an in-toto statement over every other file. */
function signatureOver(files: ReadonlyMap<string, Buffer>, key: KeyObject): Buffer {
  const payloadType = 'application/vnd.in-toto+json'
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, content]) => ({ name, digest: { sha256: sha256(content) } })),
    predicateType: 'https://assay.invalid/package/v1',
    predicate: {},
  }
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = sign(null, preAuthEncoding(payloadType, payload), key)
  return Buffer.from(
    `${JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures: [{ sig: sig.toString('base64') }] }, null, 2)}\n`,
  )
}
