import { splitReasoning } from '../../../../lib/split-reasoning.ts'
import { codeBlocks } from '../../extraction/code-blocks.ts'
import { pythonRuns } from '../evalplus/extract-code.ts'
import { namesBoundIn, topLevelBindings, topLevelStatements } from '../python/top-level.ts'

/** The code that a reply answers with. */
export interface AnswerCode {
  readonly code: string
  /** The same without the lines that do not read as Python, for code that does not compile; null where all of them do. */
  readonly readable: string | null
  readonly isComplete: boolean
}

interface Section {
  readonly code: string
  readonly start: number
}

const otherLanguages = new Set(
  (
    'bash sh shell zsh console terminal powershell cmd bat text txt plaintext plain output out log none json jsonl yaml yml toml ini xml html css csv ' +
    'markdown md latex tex math mermaid diff patch sql pycon doctest c cpp c++ csharp cs java javascript js jsx typescript ts tsx go rust ' +
    'ruby rb php swift kotlin scala r julia perl lua haskell dockerfile makefile'
  ).split(' '),
)

/**
 * The code of a reply as a person takes it: the last block that defines the function, with what it needs from other blocks; unfenced
 * code where no block does; else the block or text that continues the prompt. Drafts in reasoning do not count.
 */
export function answerCode(reply: string, name: string): AnswerCode {
  const text = plainSpaces(splitReasoning(reply).output)
  const blocks = blocksOf(text)
  const sections = [blocks.filter(({ isPython }) => isPython), blocks].find(some => some.some(({ code }) => defines(code, name)))
  if (sections) return complete(sections, name)
  const unfenced = [...blocks, ...pythonRuns(withoutBlocks(text, blocks))].toSorted((a, b) => a.start - b.start)
  if (unfenced.some(({ code }) => defines(code, name))) return complete(unfenced, name)
  if (defines(text, name)) return { code: text, readable: null, isComplete: true }
  const bodies = blocks.filter(({ isPython }) => isPython).map(({ code }) => code)
  const body = bodies.findLast(code => /^[ \t]*(?:return|yield)\b/m.test(code)) ?? bodies.at(-1) ?? text
  return { code: body.trimEnd(), readable: null, isComplete: false }
}

/** Whether code defines the name at the left margin. */
export function defines(code: string, name: string): boolean {
  return (
    definesFunction(code, name) ||
    new RegExp(`^${escaped(name)}[ \\t]*(?::[^=\\n]*)?=(?!=)(?![^\\n]*\\b${escaped(name)}\\()`, 'm').test(code)
  )
}

function definesFunction(code: string, name: string): boolean {
  return new RegExp(
    `^(?:(?:async[ \\t]+)?def|class)[ \\t]+${escaped(name)}\\b|^${escaped(name)}[ \\t]*(?::[^=\\n]*)?=[ \\t]*lambda\\b`,
    'm',
  ).test(code)
}

/** A signature that only says what to write is not an answer. */
function isStub(code: string, name: string): boolean {
  const statement = topLevelStatements(code.split('\n')).findLast(([head]) => {
    const [first, second, third] = head?.tokens ?? []
    return (first?.text === 'def' && second?.text === name) || (second?.text === 'def' && third?.text === name)
  })
  const [head, ...body] = statement ?? []
  if (!head) return false
  const texts = head.tokens.map(({ text }) => text)
  const lines = texts.at(-1) === ':' ? body.map(({ tokens }) => tokens) : [head.tokens.slice(texts.lastIndexOf(':') + 1)]
  return lines.every(tokens => {
    const [first, second] = tokens
    if (first?.text === 'raise') return second?.text === 'NotImplementedError'
    return tokens.length === 1 && (first?.kind === 'string' || first?.text === '...' || first?.text === 'pass')
  })
}

export function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, '\\$&')
}

function blocksOf(text: string) {
  const blocks = codeBlocks(text).flatMap(block =>
    // A reply that is fenced as a whole.
    /^(?:markdown|md)$/.test(block.language)
      ? codeBlocks(block.code).map(inner => ({ ...inner, start: block.start, end: block.end }))
      : [block],
  )
  return blocks
    .filter(({ code }) => code.trim() !== '')
    .map(({ language, code, start, end }) => ({ code: outdented(code), start, end, isPython: !otherLanguages.has(language) }))
}

function complete(sections: readonly Section[], name: string): AnswerCode {
  const defining = (test: (code: string) => boolean) => sections.findLastIndex(({ code }) => test(code))
  const written = defining(code => definesFunction(code, name) && !isStub(code, name))
  const signed = written >= 0 ? written : defining(code => definesFunction(code, name))
  const chosen = signed >= 0 ? signed : defining(code => defines(code, name))
  const own = sections[chosen]?.code ?? ''
  const code = [...helpersOf(sections, chosen, own, name), own].map(part => part.trimEnd()).join('\n\n')
  const runs = pythonRuns(own).map(run => run.code)
  const readable = runs.some(run => defines(run, name)) ? code.replace(own.trimEnd(), () => runs.join('\n')) : null
  return { code, readable, isComplete: true }
}

/**
 * What the chosen block uses and other blocks define. Of a draft only the definitions that are used; any other block above comes whole,
 * since it may fill what it defines.
 */
function helpersOf(sections: readonly Section[], chosen: number, own: string, name: string): string[] {
  const helpers: string[] = []
  const used = new Set(wordsOf(own))
  const bound = new Set(namesBoundIn(own)).add(name)
  const others = [
    ...sections
      .slice(0, chosen)
      .toReversed()
      .map(({ code }) => ({ code, isAbove: true })),
    ...sections.slice(chosen + 1).map(({ code }) => ({ code, isAbove: false })),
  ]
  for (const { code, isAbove } of others) {
    const bindings = topLevelBindings(code)
    const byName = Map.groupBy(
      bindings.flatMap(binding => binding.names.filter(each => each !== name).map(each => ({ each, binding }))),
      ({ each }) => each,
    )
    const wanted = new Set(bindings.filter(({ names }) => names.some(each => used.has(each) && !bound.has(each))))
    if (wanted.size === 0) continue
    // What is wanted may want more of the same block.
    for (const { source } of wanted)
      for (const word of wordsOf(source)) for (const { binding } of byName.get(word) ?? []) wanted.add(binding)
    const parts = bindings.filter(binding => wanted.has(binding))
    const taken = isAbove && !defines(code, name) ? code : parts.map(({ source }) => source).join('\n')
    helpers.unshift(taken)
    for (const word of wordsOf(taken)) used.add(word)
    for (const { names } of parts) for (const each of names) bound.add(each)
  }
  return helpers
}

/** Every word of the code, those in its strings too, since a formatted string names variables. */
function wordsOf(code: string): readonly string[] {
  return code.match(/[^\W\d]\w*/g) ?? []
}

/** Line ends as `\n`, and the blanks that web pages indent with as plain ones. */
function plainSpaces(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^\ufeff/, '')
    .replaceAll(/^[ \t\u00a0\u200b]+/gm, indent => indent.replaceAll('\u200b', '').replaceAll('\u00a0', ' '))
}

/** Blocks are blanked line by line, so that what is before and after one is not read together. */
function withoutBlocks(text: string, blocks: readonly { readonly start: number; readonly end: number }[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of blocks) {
    // The blocks of a reply that is fenced as a whole have its place.
    if (start < at) continue
    pieces.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, '`'))
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** Without the indentation that all lines share, where what it begins with is a definition or an import. */
function outdented(code: string): string {
  const lines = code.split('\n')
  const first = lines.find(line => line.trim() !== '') ?? ''
  const indent = /^[ \t]*/.exec(first)?.[0] ?? ''
  if (indent === '' || !/^[ \t]*(?:def|class|async|import|from|@)/.test(first)) return code
  return lines.every(line => line.trim() === '' || line.startsWith(indent)) ? lines.map(line => line.slice(indent.length)).join('\n') : code
}
