import { extractPython } from '../evalplus/extract-code.ts'
import { sanitize } from '../evalplus/sanitize.ts'

/** The program that a reply makes, and the part of it that is the model's. */
export interface Program {
  readonly source: string
  readonly code: string
}

/**
 * A reply that defines the function is taken by its definition, behind what the prompt has before the function's own; any other is
 * taken to go on where the prompt ends.
 * @param clean evalplus's way: only what the entry point reaches is kept
 */
export function programOf(output: string, prompt: string, entryPoint: string, clean: boolean): Program {
  const found = fenced(output) ?? output
  if (!defines(found, entryPoint)) {
    const code = found.trimEnd()
    return { source: `${prompt}${prompt.endsWith('\n') || prompt === '' ? '' : '\n'}${code}\n`, code }
  }
  const whole = extractPython(found)
  const cleaned = clean ? sanitize(found, entryPoint) : whole
  const code = defines(cleaned, entryPoint) ? cleaned : defines(whole, entryPoint) ? whole : found
  return { source: `${preamble(prompt, entryPoint)}\n${code}\n`, code }
}

function defines(code: string, name: string): boolean {
  return new RegExp(`^(?:async\\s+def|def|class)\\s+${escaped(name)}\\b|^${escaped(name)}\\s*=`, 'm').test(code)
}

/** The prompt's imports and helpers: everything before the definition that is to be written. */
function preamble(prompt: string, entryPoint: string): string {
  const at = prompt.search(new RegExp(`^def\\s+${escaped(entryPoint)}\\b`, 'm'))
  return at < 0 ? '' : prompt.slice(0, at)
}

/** The longest fenced block; null when there is none. */
export function fenced(output: string): string | null {
  const blocks: string[] = []
  let open: string[] | null = null
  const lines = output.split('\n')
  for (const [i, line] of lines.entries()) {
    if (open === null) {
      if (i < lines.length - 1 && /^[ \t]*```[^`]*$/.test(line)) open = []
    } else if (/^[ \t]*```/.test(line)) {
      blocks.push(open.map(each => `${each}\n`).join(''))
      open = null
    } else open.push(line)
  }
  if (open) blocks.push(open.join('\n'))
  return blocks.length === 0 ? null : blocks.reduce((longest, block) => (block.length > longest.length ? block : longest))
}

export function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, '\\$&')
}
