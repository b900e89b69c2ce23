import { extractPython } from '../evalplus/extract-code.ts'
import { sanitize } from '../evalplus/sanitize.ts'
import { answerCode, defines, escaped } from './answer-code.ts'

/** The program that a reply makes, and the part of it that is the model's. */
export interface Program {
  readonly source: string
  readonly code: string
  /** What is run where `source` does not compile; null for nothing. */
  readonly otherwise: string | null
}

/**
 * How code is found in a reply: `answer` as a person finds it, `evalplus` as the sanitizer of EvalPlus 0.3.1 does, which takes the
 * longest run of lines that reads as Python.
 */
export type Extraction = 'answer' | 'evalplus'

/**
 * A reply that defines the function is taken by its definition, behind what the prompt has before the function's own; any other is
 * taken to continue where the prompt ends.
 */
export function programOf(output: string, prompt: string, entryPoint: string, extraction: Extraction): Program {
  if (extraction === 'evalplus') {
    const reply = defines(output, entryPoint) ? output : `${prompt}\n${output}`
    const code = sanitize(reply, entryPoint) || extractPython(reply)
    return { source: `${code}\n`, code, otherwise: null }
  }
  const { code, readable, isComplete } = answerCode(output, entryPoint)
  if (!isComplete) return { source: continued(prompt, code), code, otherwise: null }
  const before = preamble(prompt, entryPoint)
  return { source: behind(before, code), code, otherwise: readable === null ? null : behind(before, readable) }
}

function behind(before: string, code: string): string {
  const [future = ''] = /^from __future__ import [^\n(]*\n/m.exec(code) ?? []
  return `${future}${before}\n${future === '' ? code : code.replace(future, '\n')}\n`
}

/** A task's own solution, which holds nothing but code. */
export function referenceProgram(solution: string, prompt: string, entryPoint: string): string {
  return defines(solution, entryPoint) ? `${preamble(prompt, entryPoint)}\n${solution}\n` : continued(prompt, solution.trimEnd())
}

/** The prompt's imports and helpers: everything before the definition that is to be written. */
function preamble(prompt: string, entryPoint: string): string {
  const at = prompt.search(new RegExp(`^def\\s+${escaped(entryPoint)}\\b`, 'm'))
  return at < 0 ? '' : prompt.slice(0, at)
}

/** The body behind the prompt. One whose first line, or all of whose lines, lost their indentation gets it back. */
function continued(prompt: string, body: string): string {
  const program = (code: string) => `${prompt}${prompt.endsWith('\n') || prompt === '' ? '' : '\n'}${code}\n`
  const lines = body.split('\n')
  const isBody = /^(?:return|yield)\b|^[ \t]+(?:return|yield)\b/m.test(body) && !/^(?:def|class|import|from|@)/m.test(body)
  if (prompt === '' || /^[ \t]/.test(lines.find(line => line.trim() !== '') ?? '') || !isBody) return program(body)
  const all = lines.map(line => (line.trim() === '' ? line : `    ${line}`)).join('\n')
  return [program(`    ${body.trimStart()}`), program(all)].find(isWhole) ?? program(body)
}

/** Whether all of it reads as Python, and nothing returns outside of a function. */
function isWhole(source: string): boolean {
  return !/^(?:return|yield)\b/m.test(source) && extractPython(source).trim() === source.trim()
}
