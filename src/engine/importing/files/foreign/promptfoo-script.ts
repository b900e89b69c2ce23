import type { Script } from '../../../grading/scorers/promptfoo/case.ts'
import { RowError } from '../row.ts'
import { isFilePath, type SentFiles } from './promptfoo-files.ts'

/** What promptfoo tells scripts and an import cannot. */
const unknownParts = 'logProbs|prompt|provider|providerResponse|trace'
const unknownUse = new RegExp(`\\bcontext\\s*\\??\\.\\s*(${unknownParts})\\b|\\{[^{}]*\\b(${unknownParts})\\b[^{}]*\\}\\s*=\\s*context\\b`)
const modules = /\brequire\s*\(|\bimport\s*\(|^\s*import\b|^\s*export\s+(?!default\b)|\bprocess\b|\bfetch\s*\(/m

/**
 * JavaScript, as text or in a file that was sent.
 * @throws RowError for what the sandbox cannot run: other languages, modules, and what is not known of an answer
 */
export function readScript(value: unknown, files: SentFiles, config?: unknown): Script {
  if (typeof value !== 'string' || value.trim() === '') throw new RowError('its JavaScript must be a text')
  const [, path = '', name = ''] = /^(file:\/\/.*?\.[cm]?[jt]s)(?::(\w+))?$/.exec(value.trim()) ?? []
  if (path === '' && isFilePath(value)) throw new RowError(`"${value.slice(0, 100)}" is not JavaScript`)
  const code = path === '' ? value : files.text(path)
  if (/\.[cm]?ts$/.test(path)) throw new RowError(`"${path.slice(0, 100)}" is TypeScript; send JavaScript`)
  const module = modules.exec(code)?.[0]
  if (module !== undefined) throw new RowError(`its JavaScript uses "${module.trim()}", which the sandbox has not`)
  const [, part, picked] = unknownUse.exec(code) ?? []
  const unknown = part ?? picked
  if (unknown !== undefined) throw new RowError(`its JavaScript uses "context.${unknown}", which is not known here`)
  return { code, ...(path !== '' && { export: name }), ...(config !== undefined && config !== null && { config }) }
}
