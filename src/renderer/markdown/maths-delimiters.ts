/** Code, fenced or in a line: what looks like maths in it is not. */
const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
/** Maths between double dollars stays as it is. */
const doubled = /(\$\$[\s\S]*?\$\$)/

/**
 * Markdown with its maths between double dollars, the only form that the parser is asked to read. Models also write `\(x\)`, `\[x\]`
 * and `$x$`. A single dollar counts by Pandoc's rule, so that prices stay prices: the first has no blank after it, the second no blank
 * before it and no digit after it.
 */
export function withDoubleDollars(text: string): string {
  return outside(code, text, prose =>
    outside(doubled, prose, part =>
      part
        .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, tex: string) => `\n$$\n${tex.trim()}\n$$\n`)
        .replaceAll(/\\\((.+?)\\\)/g, (_, tex: string) => `$$${tex}$$`)
        .replaceAll(/(?<![\\$])\$(?![\s$])((?:[^$\n\\]|\\.)*?)(?<![\s\\])\$(?![\d$])/g, (_, tex: string) => `$$${tex}$$`),
    ),
  )
}

/** Changes what the pattern does not take. @param taken has one group, around all of it */
function outside(taken: RegExp, text: string, change: (part: string) => string): string {
  return text
    .split(taken)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}
