import { type Dirent, existsSync } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { ModelLocation } from '../../contract/local-models/local-models.schemas.ts'
import { messageOf } from '../../lib/message-of.ts'

export interface SearchedFolder {
  readonly path: string
  readonly location: ModelLocation
}

export interface FoundFile {
  readonly path: string
  readonly location: ModelLocation
  /** Where the file's own name says nothing. */
  readonly name: string | null
  readonly bytes: number
  readonly modifiedMs: number
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** Why the folder could not be looked through, or not to its end; null where it was. */
  readonly problem: string | null
}

const deepest = 8
/** Entries of a folder with all below it: a home folder added by mistake ends soon. */
const mostEntries = 20_000

/** Folders of programs that keep GGUF files, as far as they exist. */
export function wellKnownFolders(env: Readonly<Record<string, string | undefined>> = process.env, home = homedir()): SearchedFolder[] {
  const cache = env['XDG_CACHE_HOME'] ?? join(home, '.cache')
  const local = env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local')
  const support = join(home, 'Library', 'Application Support')
  const all: readonly (readonly [ModelLocation, string])[] = [
    ['lm_studio', join(home, '.lmstudio', 'models')],
    ['lm_studio', join(home, '.cache', 'lm-studio', 'models')],
    ['hugging_face', env['HF_HUB_CACHE'] ?? join(env['HF_HOME'] ?? join(cache, 'huggingface'), 'hub')],
    ['llama_cpp', env['LLAMA_CACHE'] ?? join(cache, 'llama.cpp')],
    ['llama_cpp', join(home, 'Library', 'Caches', 'llama.cpp')],
    ['llama_cpp', join(local, 'llama.cpp')],
    ['ollama', env['OLLAMA_MODELS'] ?? join(home, '.ollama', 'models')],
    ['ollama', '/usr/share/ollama/.ollama/models'],
    ['jan', join(home, 'jan', 'models')],
    ['jan', join(home, '.config', 'Jan', 'data', 'models')],
    ['jan', join(support, 'Jan', 'data', 'models')],
    ['gpt4all', join(home, '.local', 'share', 'nomic.ai', 'GPT4All')],
    ['gpt4all', join(support, 'nomic.ai', 'GPT4All')],
    ['gpt4all', join(local, 'nomic.ai', 'GPT4All')],
  ]
  const seen = new Set<string>()
  return all.flatMap(([location, path]) => (seen.has(path) || !existsSync(path) ? [] : (seen.add(path), [{ location, path }])))
}

/** GGUF files of a folder and below. Links are followed, each file and folder once. */
export async function findFiles({ path, location }: SearchedFolder): Promise<FoundFiles> {
  if (location === 'ollama') return findInOllama(path)
  const files: FoundFile[] = []
  const seen = new Set<string>()
  let entries = 0
  let problem: string | null = null
  const walk = async (folder: string, depth: number): Promise<void> => {
    const real = await realpath(folder)
    if (seen.has(real)) return
    seen.add(real)
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (++entries > mostEntries) {
        problem = `It holds more than ${mostEntries.toLocaleString('en-US')} files; the rest was not looked through. Add the folder of the models itself.`
        return
      }
      const child = join(folder, entry.name)
      const isGguf = /\.gguf$/i.test(entry.name)
      if (!isGguf && !mayBeFolder(entry)) continue
      const facts = await stat(child).catch(() => null)
      if (facts?.isFile() && isGguf) await add(child, facts.size, facts.mtimeMs)
      else if (facts?.isDirectory() && depth < deepest) await walk(child, depth + 1).catch(() => {})
    }
  }
  const add = async (file: string, bytes: number, modifiedMs: number) => {
    const real = await realpath(file)
    if (seen.has(real)) return
    seen.add(real)
    files.push({ path: file, location, name: null, bytes, modifiedMs })
  }
  try {
    await walk(path, 0)
  } catch (error) {
    problem = whyUnread(error)
  }
  return { files, problem }
}

/** Bytes of a manifest. */
const mostManifestBytes = 1024 * 1024

const Manifest = z.object({ layers: z.array(z.object({ mediaType: z.string(), digest: z.string() })) })

/** Ollama keeps files under their digests, and the names of models in manifests. */
async function findInOllama(folder: string): Promise<FoundFiles> {
  const files: FoundFile[] = []
  const root = join(folder, 'manifests')
  if (!existsSync(root)) return { files, problem: null }
  try {
    for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const size = await stat(path).then(
        found => found.size,
        () => null,
      )
      if (files.length >= mostEntries || size === null || size > mostManifestBytes) continue
      const manifest = Manifest.safeParse(
        await readFile(path, 'utf8')
          .then(JSON.parse)
          .catch(() => null),
      )
      const layer = manifest.data?.layers.find(({ mediaType }) => mediaType === 'application/vnd.ollama.image.model')
      if (!layer || !/^sha256:[0-9a-f]{64}$/.test(layer.digest)) continue
      const blob = join(folder, 'blobs', layer.digest.replace(':', '-'))
      const facts = await stat(blob).catch(() => null)
      if (facts?.isFile())
        files.push({
          path: blob,
          location: 'ollama',
          name: `${basename(entry.parentPath)}:${entry.name}`,
          bytes: facts.size,
          modifiedMs: facts.mtimeMs,
        })
    }
    return { files, problem: null }
  } catch (error) {
    return { files, problem: whyUnread(error) }
  }
}

function mayBeFolder(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink()
}

export function whyUnread(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'It no longer exists.'
  if (code === 'EACCES' || code === 'EPERM') return 'It may not be read. Change its permissions.'
  if (code === 'ELOOP') return 'It is a link that leads to itself.'
  return `It could not be read: ${messageOf(error)}`
}
