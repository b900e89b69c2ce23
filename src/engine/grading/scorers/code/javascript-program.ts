import { escaped, fenced, type Program } from './program.ts'

/**
 * A reply that defines the function is taken as it is, behind what the prompt has before the function's own; any other is taken to go on
 * where the prompt ends. It runs as a script, so that `export` before a declaration is left away.
 */
export function javascriptProgramOf(output: string, prompt: string, entryPoint: string): Program {
  const code = (fenced(output) ?? output).trimEnd()
  const script = code
    .replaceAll(/^([ \t]*)export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)/gm, '$1')
    .replaceAll(/^[ \t]*export\s+(?:default\s+\w+|\{[^}]*\})(?:\s*;)?[ \t]*$/gm, '')
  if (!defines(script, entryPoint)) return { source: `${prompt}${script}\n`, code }
  const at = prompt.search(new RegExp(`^(?:export\\s+)?(?:async\\s+)?function\\s+${escaped(entryPoint)}\\b`, 'm'))
  return { source: `${prompt.slice(0, Math.max(0, at))}\n${script}\n`, code }
}

function defines(code: string, name: string): boolean {
  return new RegExp(
    `^[ \\t]*(?:(?:async\\s+)?function\\s*\\*?\\s+${escaped(name)}\\b|(?:(?:const|let|var)\\s+|module\\.exports\\.|exports\\.)?${escaped(name)}\\s*=)`,
    'm',
  ).test(code)
}
