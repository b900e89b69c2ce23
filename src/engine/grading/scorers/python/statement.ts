import type { Token } from './tokens.ts'

/** What a line that looks like a statement means for the lines after it; null for a line that is not a statement. */
export interface Statement {
  /** It ends in a colon and needs an indented block. */
  readonly isHeader: boolean
  /** Its first keyword, or an empty text. */
  readonly keyword: string
}

const hardKeywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield'
  ).split(' '),
)
const headers = new Set([
  'def',
  'class',
  'if',
  'elif',
  'else',
  'for',
  'while',
  'with',
  'try',
  'except',
  'finally',
  'async',
  'match',
  'case',
])
const constants = new Set(['False', 'None', 'True'])
const infixWords = new Set(['and', 'or', 'in', 'is', 'if', 'else', 'for', 'as', 'not', 'async', 'from', 'import'])
const prefixWords = new Set(['not', 'lambda', 'await', 'yield', 'from', 'async', 'for', 'if', 'in', 'import'])
const simple = new Set(['pass', 'break', 'continue'])

/**
 * Reads one logical line. This is not a full grammar: it knows which tokens may be adjacent, which tells code from prose,
 * and the outer form of each kind of statement.
 */
export function readStatement(tokens: readonly Token[]): Statement | null {
  const parts = splitAtTop(tokens, ';').filter((part, i, all) => part.length > 0 || i < all.length - 1)
  const statements = parts.map(readPart)
  if (statements.includes(null)) return null
  const [first = null] = statements
  // Only the last of several may be a header, and then it is not one of several.
  return statements.length > 1 && statements.some(statement => statement?.isHeader) ? null : first
}

/** One statement, or a header with a simple statement on its own line. */
function readPart(tokens: readonly Token[]): Statement | null {
  const word = tokens[0]?.kind === 'name' ? tokens[0].text : ''
  const colon = headers.has(word) ? headerColon(tokens) : -1
  if (colon < 0 || colon === tokens.length - 1) return readSimple(tokens)
  const header = readSimple(tokens.slice(0, colon + 1))
  const body = readSimple(tokens.slice(colon + 1))
  if (!header?.isHeader) return readSimple(tokens)
  return body && !body.isHeader ? { ...header, isHeader: false } : null
}

function readSimple(tokens: readonly Token[]): Statement | null {
  const [first, second] = tokens
  if (!first) return null
  const word = first.kind === 'name' ? first.text : first.text === '@' ? '@' : ''
  const isSoft = word === 'match' || word === 'case'
  const keyword = (hardKeywords.has(word) && !constants.has(word)) || word === '@' || (isSoft && endsInColon(tokens)) ? word : ''
  if (!isRightForm(keyword, tokens, second)) return null
  const rest = keyword === '' ? tokens : tokens.slice(keyword === 'async' ? 2 : 1)
  if (!hasRightNeighbors(rest, keyword)) return null
  return { isHeader: headers.has(keyword) && endsInColon(tokens), keyword }
}

function endsInColon(tokens: readonly Token[]): boolean {
  return tokens.at(-1)?.text === ':'
}

/** The outer form that a keyword asks for. */
function isRightForm(keyword: string, tokens: readonly Token[], second: Token | undefined): boolean {
  const isName = second?.kind === 'name' && !hardKeywords.has(second.text)
  if (simple.has(keyword)) return tokens.length === 1
  if (keyword === 'def') return isName && tokens[2]?.text === '(' && hasColon(tokens)
  if (keyword === 'class') return isName && (tokens[2]?.text === '(' || tokens[2]?.text === ':') && hasColon(tokens)
  if (keyword === 'import') return isName
  if (keyword === 'from') return tokens.some(({ text }) => text === 'import') && tokens.length >= 4
  if (keyword === 'async') return ['def', 'for', 'with'].includes(second?.text ?? '') && hasColon(tokens)
  if (keyword === 'try' || keyword === 'finally' || keyword === 'else') return second?.text === ':'
  if (keyword === 'in' || keyword === 'is' || keyword === 'and' || keyword === 'or' || keyword === 'as') return false
  return !headers.has(keyword) || hasColon(tokens)
}

function hasColon(tokens: readonly Token[]): boolean {
  return headerColon(tokens) >= 0
}

/** The first colon outside of brackets that belongs to no lambda, or -1. */
function headerColon(tokens: readonly Token[]): number {
  let depth = 0
  let lambdas = 0
  for (const [i, { text }] of tokens.entries()) {
    if ('([{'.includes(text)) depth++
    else if (')]}'.includes(text)) depth--
    else if (text === 'lambda' && depth === 0) lambdas++
    else if (text === ':' && depth === 0 && lambdas-- === 0) return i
  }
  return -1
}

function splitAtTop(tokens: readonly Token[], separator: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if ('([{'.includes(token.text)) depth++
    else if (')]}'.includes(token.text)) depth--
    if (token.text === separator && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** Whether operands and operators take turns. */
function hasRightNeighbors(tokens: readonly Token[], keyword: string): boolean {
  let wantsOperand = true
  for (const [i, token] of tokens.entries()) {
    const previous = tokens[i - 1]
    const isOperand =
      token.kind === 'number' ||
      token.kind === 'string' ||
      (token.kind === 'name' && (!hardKeywords.has(token.text) || constants.has(token.text)))
    if (isOperand) {
      // Neighboring strings are one string.
      if (!wantsOperand && !(token.kind === 'string' && previous?.kind === 'string')) return false
      wantsOperand = false
    } else if (token.kind === 'name') {
      if (wantsOperand ? !mayPrefix(token.text, previous, keyword) : !infixWords.has(token.text)) return false
      wantsOperand = true
    } else {
      const next = afterOperator(token.text, wantsOperand, previous, keyword)
      if (next === null) return false
      wantsOperand = next
    }
  }
  const last = tokens.at(-1)?.text ?? ''
  return !wantsOperand || tokens.length === 0 || [':', ',', '*', 'yield'].includes(last)
}

function mayPrefix(word: string, previous: Token | undefined, keyword: string): boolean {
  if (!prefixWords.has(word)) return false
  // `for`, `if`, `in` and `import` follow an operand, but for a comma before `in` and dots before `import`.
  if (word === 'in' || word === 'for' || word === 'if')
    return previous?.text === 'not' || previous?.text === ',' || previous?.text === 'async'
  return word !== 'import' || keyword === 'from'
}

/** Whether an operand must follow the operator; null where the operator is invalid. */
function afterOperator(text: string, wantsOperand: boolean, previous: Token | undefined, keyword: string): boolean | null {
  if ('([{'.includes(text)) return true
  if (')]}'.includes(text))
    return wantsOperand && !['(', '[', '{', ',', ':', '*', '/', 'yield'].includes(previous?.text ?? '') ? null : false
  if (text === '...') return false
  if (!wantsOperand) return true
  const mayStart = ['+', '-', '~', '*', '**', '->'].includes(text)
  const mayRepeat =
    (text === ':' || text === ',' || text === '=') &&
    ['(', '[', '{', ',', ':', '*', '/', 'lambda', 'else', 'return'].includes(previous?.text ?? '')
  const isBareColon = text === ':' && (previous === undefined || previous.text === 'except')
  const isPath = text === '.' && keyword === 'from'
  const isSlash = text === '/' && previous?.text === ','
  return mayStart || mayRepeat || isBareColon || isPath || isSlash ? true : null
}
