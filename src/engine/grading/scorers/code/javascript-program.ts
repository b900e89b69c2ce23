import { splitReasoning } from '../../../../lib/split-reasoning.ts'
import { codeBlocks } from '../../extraction/code-blocks.ts'
import { escaped } from './answer-code.ts'
import type { Program } from './program.ts'

const languages = new Set(['', 'javascript', 'js', 'jsx', 'mjs', 'cjs', 'node', 'nodejs', 'ecmascript', 'typescript', 'ts', 'code'])
const declaration = /^(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function(?:\s*\*)?|class|const|let|var)\s+([\w$]+)/gm

const imports = /^[ \t]*import\b([^"';()]{0,2000})("[^"\n]{1,200}"|'[^'\n]{1,200}')[ \t]*;?/gm

/**
 * A reply that defines the function is taken by the last block that does, with the blocks above that it uses, behind what the prompt has
 * before the function's own; any other is taken to continue where the prompt ends. It runs as a script, so that `export` before a
 * declaration is left away and imports become calls of `require`.
 */
export function javascriptProgramOf(output: string, prompt: string, entryPoint: string): Program {
  const code = codeOf(splitReasoning(output).output.replaceAll(/\r\n?/g, '\n'), entryPoint).trimEnd()
  const script = code
    .replaceAll(imports, requireOf)
    .replaceAll(/^([ \t]*)export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)/gm, '$1')
    .replaceAll(/^[ \t]*export\s+(?:default\s+\w+|\{[^}]*\})(?:\s*;)?[ \t]*$/gm, '')
  if (!defines(script, entryPoint)) return { source: `${prompt}${script}\n`, code, otherwise: null }
  const at = prompt.search(new RegExp(`^(?:export\\s+)?(?:async\\s+)?function\\s+${escaped(entryPoint)}\\b`, 'm'))
  return { source: `${prompt.slice(0, Math.max(0, at))}\n${script}\n`, code, otherwise: null }
}

/** `import one, { two as three } from 'module'` as calls of `require`. */
function requireOf(statement: string, clause: string, module: string): string {
  const words = clause.trim()
  if (words === '') return `require(${module});`
  if (!words.endsWith('from')) return statement
  const [own] = /^[\w$]+(?=[\s,])/.exec(words) ?? []
  const [, all] = /\*\s+as\s+([\w$]+)/.exec(words) ?? []
  const parts = /\{[^{}]*\}/.exec(words)?.[0].replaceAll(/\bas\b/g, ':')
  return [own, all, parts].flatMap(name => (name === undefined ? [] : [`const ${name} = require(${module});`])).join(' ')
}

function codeOf(text: string, entryPoint: string): string {
  const blocks = codeBlocks(text)
    .filter(({ language, code }) => languages.has(language) && code.trim() !== '')
    .map(({ code }) => code)
  const chosen = blocks.findLastIndex(code => defines(code, entryPoint))
  const own = blocks[chosen]
  if (own === undefined) return defines(text, entryPoint) ? text : (blocks.at(-1) ?? text)
  const words = new Set(own.match(/[\w$]+/g))
  const known = new Set(declared(own))
  const isUsed = (code: string) => !defines(code, entryPoint) && declared(code).some(name => words.has(name) && !known.has(name))
  return [...blocks.slice(0, chosen).filter(isUsed), own].join('\n')
}

function declared(code: string): string[] {
  return [...code.matchAll(declaration)].map(match => match[1] ?? '')
}

function defines(code: string, name: string): boolean {
  return new RegExp(
    `^[ \\t]*(?:(?:export\\s+(?:default\\s+)?)?(?:async\\s+)?function(?:\\s*\\*)?\\s+${escaped(name)}\\b|(?:(?:export\\s+)?(?:const|let|var)\\s+|module\\.exports\\.|exports\\.)?${escaped(name)}\\s*=)`,
    'm',
  ).test(code)
}
