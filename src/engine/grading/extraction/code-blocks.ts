/** A block of code in a reply. */
export interface CodeBlock {
  /** In lower case: the first word behind the fence; empty where there is none. */
  readonly language: string
  /** Without the fences, and without the indentation of the opening one. */
  readonly code: string
  /** The block with its fences in the reply, end exclusive. */
  readonly start: number
  readonly end: number
}

const opening = /^((?:[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t])?[ \t>]*)(`{3,}|~{3,})((?:[^\n`~][^\n`]*)?)$/
/** Longer runs are not fences; without a bound a run takes time that grows with its square. */
const onOneLine = /(`{3,20})[ \t]{0,8}(?:([A-Za-z][\w+#.-]{0,20})[ \t]|(?=[{["\d-]))([^\n`]*[^\s`])[ \t]*\1(?!`)/g
const tagged = /<(code|python|solution|program)(?:\s[^>\n]{0,100})?>([^]*?)<\/\1>/gi

/**
 * The fenced blocks of a reply in order, as CommonMark has them: backticks or tildes, three or more, indented or in a list; a block ends
 * at a fence of the same kind that is at least as long, or with the reply. Also blocks on one line, and `<code>` where nothing is fenced.
 */
export function codeBlocks(reply: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { indent: number; fence: string; language: string; start: number; lines: string[] } | null = null
  let at = 0
  const close = (end: number) => {
    if (!open) return
    blocks.push({ language: open.language, code: open.lines.map(line => `${line}\n`).join(''), start: open.start, end })
    open = null
  }
  for (const piece of reply.split('\n')) {
    const line = piece.replace(/\r$/, '').replace(/^\ufeff/, '')
    const end = Math.min(reply.length, at + piece.length + 1)
    if (open) {
      if (closes(line, open.fence)) close(end)
      else open.lines.push(outdented(line, open.indent))
    } else {
      const [, indent = '', fence, info = ''] = opening.exec(line) ?? []
      if (fence !== undefined) open = { indent: indent.length, fence, language: languageOf(info), start: at, lines: [] }
      else for (const match of line.matchAll(onOneLine)) blocks.push(inline(match, at))
    }
    at += piece.length + 1
  }
  close(reply.length)
  if (blocks.length > 0) return blocks
  return [...reply.matchAll(tagged)].map(match => ({
    language: '',
    code: (match[2] ?? '').replace(/^[ \t]*\n?/, ''),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

function closes(line: string, fence: string): boolean {
  const bare = line.replace(/^[ \t>]*/, '').trimEnd()
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length)
}

function languageOf(info: string): string {
  return /^\{?\.?([\w+#.-]*)/.exec(info.trim())?.[1]?.toLowerCase() ?? ''
}

function outdented(line: string, indent: number): string {
  let at = 0
  while (at < indent && (line.charAt(at) === ' ' || line.charAt(at) === '\t' || line.charAt(at) === '>')) at++
  return line.slice(at)
}

function inline(match: RegExpExecArray, offset: number): CodeBlock {
  return {
    language: (match[2] ?? '').toLowerCase(),
    code: `${(match[3] ?? '').trimStart()}\n`,
    start: offset + match.index,
    end: offset + match.index + match[0].length,
  }
}
