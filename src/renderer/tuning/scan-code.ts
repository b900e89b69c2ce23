/** A snippet whose strings and comments are blanked, so that code is found and nothing inside a text is taken for code. */
export interface ScannedCode {
  readonly text: string
  /** As long as `text`: comments are blanks, strings are their quotes around fillers, unless they hold just a name such as a key. */
  readonly code: string
}

const filler = '\u0001'
const name = /^[\w-]{1,40}$/
/** Strings of one or several lines, also without their end. */
const multiline = /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|`(?:\\[\s\S]|[^`\\])*(?:`|$)/y
const oneLine = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y
const comment = /\/\*[\s\S]*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|(?<![^\s;,({[])#[^\n]*/y
/** Before the body of a request in a shell, whose quote is the shell's. */
const bodyOption = /(?:^|\s)(?:-d|--data(?:-\w+)?|--json)[ =]?\$?$/

export function scanCode(snippet: string): ScannedCode {
  const text = snippet.replaceAll(/\r\n?/g, '\n').replaceAll(`'\\''`, '\u2019')
  const code: string[] = []
  for (let at = 0; at < text.length; ) {
    const found = match(comment, text, at)
    const quoted =
      found ?? (bodyOption.test(text.slice(Math.max(0, at - 20), at)) ? null : (match(multiline, text, at) ?? match(oneLine, text, at)))
    if (quoted === null) {
      code.push(text[at] ?? '')
      at++
      continue
    }
    code.push(found === null ? masked(quoted) : quoted.replaceAll(/[^\n]/g, ' '))
    at += quoted.length
  }
  return { text, code: code.join('') }
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

function masked(quoted: string): string {
  const inside = quoted.slice(1, -1)
  if (name.test(inside)) return quoted
  return (quoted[0] ?? '') + filler.repeat(inside.length) + quoted.slice(-1)
}
