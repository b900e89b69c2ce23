const latexCommand =
  /\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|rm|it|sf|tt|bb|cal|normal)|mbox|hbox|emph|underline|boldsymbol|bf|rm|left|right|displaystyle|quad|qquad|[()[\],;:! ])(?![A-Za-z])/g
const emphasis = /\*{1,3}|(?<![A-Za-z0-9])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![A-Za-z0-9])|`{1,3}|~{2}|(?<![A-Za-z0-9\\])\$|(?<!\\)\$(?![\d])/g
const htmlTag = /<\/?(?:b|strong|i|em|u|mark|code|span|p|div|answer|final_answer|final|response|result)>/gi

/**
 * The text with its markup (emphasis, LaTeX text commands, braces, delimiters of formulas, HTML tags) as spaces, so that a pattern can
 * ask for words alone. Every character keeps its position.
 */
export function unmarked(text: string): string {
  if (!/[*_`$\\{}<~]/.test(text)) return text
  return blanked(blanked(blanked(text, htmlTag), latexCommand), emphasis).replaceAll(/[{}]/g, ' ')
}

function blanked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, found => ' '.repeat(found.length))
}
