import { outside } from './outside.ts'

/** Code, fenced or in a line: what looks like maths in it is not. */
export const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
/** Maths between double dollars stays as it is. */
export const doubled = /(\$\$[\s\S]*?\$\$)/

/**
 * Markdown with its maths between double dollars, the only form that the parser is asked to read. Models also write `\(x\)`, `\[x\]`
 * and `$x$`. A single dollar counts by Pandoc's rule (the first has no blank after it, the second no blank before it and no digit after
 * it), and only around what is neither prose nor half an equation, so that prices stay prices.
 */
export function withDoubleDollars(text: string): string {
  return outside(code, text, prose =>
    outside(doubled, prose, part =>
      part
        .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, tex: string) => `\n$$\n${tex.trim()}\n$$\n`)
        .replaceAll(/\\\((.+?)\\\)/g, (_, tex: string) => `$$${tex}$$`)
        .replaceAll(/(?<![\\$])\$(?![\s$])((?:[^$\n\\]|\\.)*?)(?<![\s\\])\$(?![\d$])/g, (whole, tex: string) =>
          isPrice(tex) ? whole : `$$${tex}$$`,
        ),
    ),
  )
}

/** What two prices enclose: `80,000 and the repairs cost 50,000 so it is =`. */
function isPrice(tex: string): boolean {
  return /[=+\-*/<>,;:]$/.test(tex) || /(?:^|[\s,.])[A-Za-z]{2,}\s+[A-Za-z]{2,}/.test(tex)
}
