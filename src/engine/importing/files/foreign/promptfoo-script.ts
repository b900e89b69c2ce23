import { importedModules, packageOf } from '../../../grading/sandbox/python-modules.ts'
import type { Script } from '../../../grading/scorers/promptfoo/case.ts'
import { RowError } from '../row.ts'
import { isFilePath, type SentFiles } from './promptfoo-files.ts'

/** The language of the scripts of an import: that of the first, since one sandbox runs them all. */
export interface ScriptLanguage {
  chosen: 'javascript' | 'python' | null
}

/** @throws RowError for a script in another language than those before */
function choose(language: ScriptLanguage, wanted: NonNullable<ScriptLanguage['chosen']>): void {
  language.chosen ??= wanted
  if (language.chosen !== wanted)
    throw new RowError(
      `it is ${wanted === 'python' ? 'Python' : 'JavaScript'}, and scripts before it are ${wanted === 'python' ? 'JavaScript' : 'Python'}; a test is graded by one language`,
    )
}

/** What promptfoo tells scripts and an import cannot. */
const unknownParts = 'logProbs|prompt|provider|providerResponse|trace'
const unknownUse = new RegExp(`\\bcontext\\s*\\??\\.\\s*(${unknownParts})\\b|\\{[^{}]*\\b(${unknownParts})\\b[^{}]*\\}\\s*=\\s*context\\b`)
const modules = /\brequire\s*\(|\bimport\s*\(|^\s*import\b|^\s*export\s+(?!default\b)|\bprocess\b|\bfetch\s*\(/m

/**
 * JavaScript, as text or in a file that was sent.
 * @throws RowError for what the sandbox cannot run: other languages, modules, and what is not known of an answer
 */
export function readScript(value: unknown, files: SentFiles, language: ScriptLanguage, config?: unknown): Script {
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
  choose(language, 'javascript')
  return { code, ...(path !== '' && { export: name }), ...(config !== undefined && config !== null && { config }) }
}

const unknownKeys = new RegExp(`\\bcontext\\s*(?:\\.\\s*get\\s*\\(|\\[)\\s*['"](${unknownParts})['"]`)

/** Python, as text or in a file that was sent. @throws RowError for what the sandbox cannot run */
export function readPython(value: unknown, files: SentFiles, language: ScriptLanguage, config?: unknown): Script {
  if (typeof value !== 'string' || value.trim() === '') throw new RowError('its Python must be a text')
  const [, path = '', name = ''] = /^(file:\/\/.*?\.py)(?::(\w+))?$/.exec(value.trim()) ?? []
  if (path === '' && isFilePath(value)) throw new RowError(`"${value.slice(0, 100)}" is not Python`)
  const code = path === '' ? value : files.text(path)
  const needed = importedModules(code).find(module => packageOf(module) !== null)
  if (needed !== undefined) throw new RowError(`its Python imports "${needed}", which the sandbox has not`)
  const unknown = unknownKeys.exec(code)?.[1]
  if (unknown !== undefined) throw new RowError(`its Python uses "context['${unknown}']", which is not known here`)
  choose(language, 'python')
  return { code, ...(path !== '' && { export: name }), ...(config !== undefined && config !== null && { config }) }
}
