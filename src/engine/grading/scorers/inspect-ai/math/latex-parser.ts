import { MathLimitError, MathParseError } from './errors.ts'
import type { MathNode } from './math-node.ts'

const mostNodes = 512
const deepest = 64

const tokens = /\s+|~|(?:\d(?:\s*\d)*(?:\.(?:\d(?:\s*\d)*)?)?|\.\d+)(?:[eE][-+]?\d+)?|\\[A-Za-z]+|\\.|\p{L}|[^]/gu

type Relation = readonly [head: string, isTurned?: true]
const less: Relation = ['Less']
const atMost: Relation = ['LessEqual']
const relations: Readonly<Record<string, Relation>> = {
  '=': ['Equal'],
  '<': less,
  '\\lt': less,
  '>': ['Less', true],
  '\\gt': ['Less', true],
  ...Object.fromEntries(['\\le', '\\leq', '\\leqslant'].map(name => [name, atMost])),
  ...Object.fromEntries(['\\ge', '\\geq', '\\geqslant'].map(name => [name, ['LessEqual', true] as const])),
  '\\ne': ['NotEqual'],
  '\\neq': ['NotEqual'],
  '\\in': ['Element'],
  ...ofOwnName(
    'approx equiv sim simeq cong propto notin ni subset subseteq supset supseteq to rightarrow mapsto Rightarrow implies iff Leftrightarrow parallel perp mid',
  ),
  ':': ['Colon'],
}
const joins: Readonly<Record<string, string>> = {
  '\\cup': 'Union',
  '\\cap': 'Intersection',
  '\\setminus': 'SetMinus',
  '\\land': 'And',
  '\\wedge': 'And',
  '\\lor': 'Or',
  '\\vee': 'Or',
}
const sums: Readonly<Record<string, string>> = { '+': 'Add', '-': 'Add', '\\pm': 'PlusMinus', '\\mp': 'MinusPlus' }
const products: Readonly<Record<string, string>> = {
  '*': 'Multiply',
  '\\cdot': 'Multiply',
  '\\times': 'Multiply',
  '\\ast': 'Multiply',
  '/': 'Divide',
  '\\div': 'Divide',
  '\\bmod': 'Mod',
}
const functions = new Map(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp ln log max min gcd lcm det dim'
    .split(' ')
    .map(name => [name, name.charAt(0).toUpperCase() + name.slice(1)] as const),
)
const inverses: Readonly<Record<string, string>> = { Sin: 'Arcsin', Cos: 'Arccos', Tan: 'Arctan' }
const fractions = new Set(['\\frac', '\\dfrac', '\\tfrac', '\\cfrac'])
const binomials = new Set(['\\binom', '\\dbinom', '\\tbinom'])
/** Their bounds and what follows stay as they are: such an expression only equals itself. */
const bounded = new Set(['\\int', '\\iint', '\\oint', '\\sum', '\\prod', '\\lim', '\\bigcup', '\\bigcap'])
const marks = new Set(['\\overline', '\\bar', '\\vec', '\\hat', '\\tilde', '\\widehat', '\\overrightarrow', '\\underline', '\\pmod'])
const texts = new Set(['\\text', '\\mbox', '\\textbf', '\\textit', '\\textrm', '\\textnormal', '\\texttt'])
const letters = new Set(['\\mathrm', '\\mathbf', '\\mathit', '\\mathsf', '\\boldsymbol', '\\operatorname', '\\mathcal', '\\mathbb'])
const closing: Readonly<Record<string, readonly string[]>> = {
  '(': [')', ']'],
  '[': [']', ')'],
  '\\{': ['\\}'],
  '\\langle': ['\\rangle'],
  '\\lfloor': ['\\rfloor'],
  '\\lceil': ['\\rceil'],
}
const symbols: Readonly<Record<string, string>> = {
  '\\pi': 'Pi',
  '\\infty': 'PositiveInfinity',
  '\\emptyset': 'EmptySet',
  '\\varnothing': 'EmptySet',
}
/** Commands that are a symbol of their own name. */
const named =
  /^\\(?:(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon|phi|chi|psi|omega)|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega|ell|hbar|prime|angle|triangle|square|circ|ldots|dots|cdots|vdots|ddots|infty|partial|nabla|forall|exists|therefore|because|neg|star)$/

/** The expression of LaTeX without layout; its time is in proportion to the length. @throws MathParseError @throws MathLimitError */
export function parseLatex(latex: string): MathNode {
  const parts = Array.from(latex.matchAll(tokens), ([part]) => part).filter(part => part !== '~' && part.trim() !== '')
  let at = 0
  let nodes = 0
  let depth = 0
  /** Whether a bar ends what is being read. */
  let inBars = false
  let inSet = 0
  const bars = barsLeft(parts)
  /** Outside of bars: one that an even number of bars of its set follows can open no pair, so it is "such that". */
  const hasPair = (place: number): boolean => (bars[place] ?? 0) % 2 === 0

  const fail = (): never => {
    throw new MathParseError('the expression cannot be read')
  }
  const made = (node: MathNode): MathNode => {
    if (++nodes > mostNodes) throw new MathLimitError('the expression is too large')
    return node
  }
  const call = (head: string, ...args: readonly MathNode[]) => made({ kind: 'call', head, args })
  const number = (text: string) => made({ kind: 'number', text })
  const symbol = (name: string) => made({ kind: 'symbol', name })
  const peek = (): string => parts[at] ?? ''
  const take = (): string => parts[at++] ?? fail()
  const takes = (...wanted: readonly string[]): boolean => wanted.includes(peek()) && ++at > 0
  const expect = (...wanted: readonly string[]): string => (wanted.includes(peek()) ? take() : fail())
  function inside<T>(bars: boolean, read: () => T): T {
    if (++depth > deepest) throw new MathLimitError('the expression is too large')
    const before = inBars
    inBars = bars
    const found = read()
    inBars = before
    depth--
    return found
  }

  const list = (ends: readonly string[]): MathNode[] => {
    const items: MathNode[] = []
    while (!ends.includes(peek())) {
      items.push(relation())
      if (!takes(',', ';')) break
      if (ends.includes(peek())) items.push(symbol('Nothing'))
    }
    return items
  }
  const tuple = (items: readonly MathNode[]): MathNode => (items.length === 1 ? (items[0] ?? fail()) : call('Tuple', ...items))

  /** `a < b < c` is one relation, `a < b = c` two. */
  const relation = (): MathNode => {
    const sides = [join()]
    const found: Relation[] = []
    for (let next = relationAt(); next; next = relationAt()) {
      at++
      found.push(next)
      sides.push(join())
    }
    const [first] = found
    const [left] = sides
    if (!first || !left) return left ?? fail()
    const of = ([head, isTurned]: Relation, args: readonly MathNode[]) => call(head, ...(isTurned ? args.toReversed() : args))
    if (found.every(each => each[0] === first[0] && each[1] === first[1])) return of(first, sides)
    return call('And', ...found.map((each, i) => of(each, sides.slice(i, i + 2))))
  }
  const relationAt = (): Relation | undefined => (peek() === '|' && !inBars && inSet > 0 && !hasPair(at) ? ['mid'] : relations[peek()])

  const join = (): MathNode => {
    let left = sum()
    for (let head = joins[peek()]; head; head = joins[peek()]) {
      at++
      const right = sum()
      left = left.kind === 'call' && left.head === head ? call(head, ...left.args, right) : call(head, left, right)
    }
    return left
  }

  const sum = (): MathNode => {
    let terms = sums[peek()] ? [] : [product()]
    for (let head = sums[peek()]; head; head = sums[peek()]) {
      const sign = signAt()
      const term = sign === '-' ? call('Negate', product()) : product()
      if (sums[sign] === 'Add') terms.push(term)
      else terms = [call(head, ...(terms.length > 0 ? [terms.length === 1 ? (terms[0] ?? fail()) : call('Add', ...terms)] : []), term)]
    }
    return terms.length === 1 ? (terms[0] ?? fail()) : call('Add', ...terms)
  }
  /** Several signs in a row as one. */
  const signAt = (): string => {
    let sign = take()
    while (takes('-')) sign = sign === '-' ? '+' : sign === '+' ? '-' : sign
    while (takes('+'));
    return sign
  }

  const product = (): MathNode => {
    let left = factors()
    for (let head = products[peek()]; head; head = products[peek()]) {
      at++
      const isNegative = (peek() === '-' || peek() === '+') && signAt() === '-'
      const right = isNegative ? call('Negate', factors()) : factors()
      left = head === 'Multiply' && left.kind === 'call' && left.head === head ? call(head, ...left.args, right) : call(head, left, right)
    }
    return left
  }

  /** What stands side by side. */
  const factors = (isArgument = false): MathNode => {
    const found = [power()]
    // As in Inspect's parser, a root is a function: `\ln 2\sqrt{3}` is a product.
    while (isFactorAt() && !(isArgument && (functionAt() || peek() === '\\sqrt' || peek() in closing))) found.push(power())
    return found.length === 1 ? (found[0] ?? fail()) : call('InvisibleOperator', ...found)
  }
  const isFactorAt = (): boolean => {
    const next = peek()
    if (next === '|' || next === '\\|') return !inBars && (inSet === 0 || hasPair(at))
    return /^(?:[\d.]|\p{L})/u.test(next) || (next.startsWith('\\') ? isOperand(next) : next === '{' || next in closing)
  }
  const isOperand = (name: string): boolean =>
    name in symbols ||
    named.test(name) ||
    name in closing ||
    functions.has(name.slice(1)) ||
    [fractions, binomials, bounded, marks, texts, letters].some(set => set.has(name)) ||
    name === '\\sqrt' ||
    name === '\\lg' ||
    name === '\\begin'

  const power = (): MathNode => {
    let base = operand()
    for (;;) {
      if (takes('!')) base = call('Factorial', base)
      else if (takes('%', '\\%')) base = call('Divide', base, number('100'))
      else if (takes("'")) base = call('Prime', base)
      else if (takes('_')) base = subscripted(base)
      else if (takes('^')) base = call('Power', base, script())
      else return base
    }
  }
  const subscripted = (base: MathNode): MathNode => {
    const index = script()
    const text = index.kind === 'number' ? index.text : index.kind === 'symbol' ? index.name : index.kind === 'words' ? index.text : null
    return base.kind === 'symbol' && text !== null ? symbol(`${base.name}_${text}`) : call('Subscript', base, index)
  }

  /** As people write it and Inspect's parser reads it, a power has all digits of a number, as has an index: `x^10`. */
  const script = (): MathNode => {
    if (takes('-')) return call('Negate', script())
    if (!/^\d/.test(peek())) return argument()
    const spaced = take()
    const [digits = ''] = spaced.split(/\s/, 1)
    if (digits !== spaced) parts[--at] = spaced.slice(digits.length).trimStart()
    return numeral(digits)
  }
  /** In braces, or one digit, letter or command. */
  const argument = (): MathNode => {
    if (peek() === '{') return group()
    if (takes('-')) return call('Negate', argument())
    const digits = /^\d/.test(peek()) ? take() : ''
    if (digits === '') return operand()
    if (digits.length > 1) parts[--at] = digits.slice(1).trimStart()
    return number(digits.charAt(0))
  }
  const group = (): MathNode =>
    inside(false, () => {
      expect('{')
      const items = list(['}'])
      expect('}')
      return items.length === 0 ? symbol('Nothing') : tuple(items)
    })
  /** Between braces, as it is written. */
  const written = (): string => {
    expect('{')
    const end = parts.indexOf('}', at)
    if (end < 0) fail()
    const text = parts.slice(at, end)
    at = end + 1
    return text.join('')
  }

  const operand = (): MathNode => {
    const next = take()
    if (/^[\d.]/.test(next)) return numeral(next)
    if (/^\p{L}$/u.test(next)) return symbol(next.toLowerCase())
    if (next in closing) return bracketed(next)
    if (next === '{') {
      at--
      return group()
    }
    if (next === '|' || next === '\\|') {
      const content = inside(true, relation)
      expect(next)
      return call(next === '|' ? 'Abs' : 'Norm', content)
    }
    return next.startsWith('\\') ? command(next) : fail()
  }

  const numeral = (text: string): MathNode => {
    const digits = text.replaceAll(/\s/g, '').toLowerCase().replace(/^\./, '0.')
    if (digits.includes('.') && takes('\\overline')) return number(`${digits}(${/^\d+$/.exec(written())?.[0] ?? fail()})`)
    return digits.endsWith('.') ? fail() : number(digits)
  }

  const bracketed = (opening: string): MathNode => {
    const ends = closing[opening] ?? fail()
    if (opening === '\\{') inSet++
    const items = inside(false, () => list(ends))
    if (opening === '\\{') inSet--
    const end = expect(...ends)
    if (opening === '\\{') return call('Set', ...items)
    if (opening === '\\lfloor') return call('Floor', tuple(items))
    if (opening === '\\lceil') return call('Ceil', tuple(items))
    if (opening === '(' && end === ')') return tuple(items)
    if (opening === '[' && end === ']') return call('List', ...items)
    return opening === '\\langle' ? call('Tuple', ...items) : call(opening === '(' ? 'OpenClosed' : 'ClosedOpen', ...items)
  }

  const command = (name: string): MathNode => {
    if (fractions.has(name)) return call('Divide', argument(), argument())
    if (binomials.has(name)) return call('Binomial', argument(), argument())
    if (name === '\\sqrt') {
      const degree = takes('[') ? inside(false, relation) : null
      if (degree) expect(']')
      return degree ? call('Root', argument(), degree) : call('Sqrt', argument())
    }
    if (marks.has(name)) return call(name.slice(1), argument())
    if (bounded.has(name)) return boundedOperation(name.slice(1))
    if (texts.has(name)) return made({ kind: 'words', text: written() })
    if (letters.has(name)) return lettered(name)
    if (name === '\\begin') return environment()
    const known = symbols[name]
    if (known !== undefined) return symbol(known)
    if (named.test(name)) return symbol(name.slice(1))
    at--
    return functionAt() ? applied() : fail()
  }
  const lettered = (name: string): MathNode => {
    const text = peek() === '{' ? written() : take()
    if (functions.has(text) && name !== '\\mathbb') {
      parts[--at] = `\\${text}`
      return applied()
    }
    if (name === '\\mathbb') return symbol(`Set_${text}`)
    return /^\p{L}$/u.test(text) ? symbol(text.toLowerCase()) : made({ kind: 'words', text })
  }
  const boundedOperation = (head: string): MathNode => {
    const bounds: MathNode[] = []
    while (peek() === '_' || peek() === '^') {
      const side = take()
      bounds.push(call(side, side === '^' ? script() : argument()))
    }
    return call(head, ...bounds, ...(isFactorAt() ? [product()] : []))
  }

  const functionAt = (): string | undefined => (peek() === '\\lg' ? 'Log' : functions.get(peek().slice(1)))
  /** A function with its argument; by itself it is a symbol. */
  const applied = (): MathNode => {
    const head = functionAt() ?? fail()
    at++
    let base: MathNode | null = null
    let exponent: MathNode | null = null
    while (peek() === '_' || peek() === '^') {
      if (take() === '_') base = argument()
      else exponent = script()
    }
    if (!isFactorAt()) return symbol(head)
    const args = takes('(')
      ? inside(false, () => {
          const items = list([')'])
          expect(')')
          return items
        })
      : [factors(true)]
    const isInverse = exponent?.kind === 'call' && exponent.head === 'Negate' && JSON.stringify(exponent.args).includes('"1"')
    const inverse = isInverse ? inverses[head] : undefined
    const value = call(inverse ?? head, ...args, ...(base ? [base] : []))
    return exponent && !inverse ? call('Power', value, exponent) : value
  }

  const environment = (): MathNode => {
    const name = written()
    if (name === 'array' && peek() === '{') written()
    const rows: MathNode[] = []
    const ends = ['&', '\\\\', '\\end']
    inside(false, () => {
      do {
        const cells: MathNode[] = []
        do cells.push(tuple(list(ends)))
        while (takes('&'))
        rows.push(call('List', ...cells))
      } while (takes('\\\\') && peek() !== '\\end')
    })
    expect('\\end')
    if (written() !== name) fail()
    return call(/^(?:[pbB]|small)?matrix$|^array$/.test(name) ? 'Matrix' : name, ...rows)
  }

  const items = list([''])
  if (at < parts.length || items.length === 0) fail()
  return tuple(items)
}

/** At each place of a set, the bars from there to the end of the set. */
function barsLeft(parts: readonly string[]): readonly number[] {
  const open = [0]
  return parts
    .toReversed()
    .map(part => {
      if (part === '\\}') open.push(0)
      else if (part === '\\{' && open.length > 1) open.pop()
      const top = open.length - 1
      if (part === '|') open[top] = (open[top] ?? 0) + 1
      return open[top] ?? 0
    })
    .toReversed()
}

function ofOwnName(names: string): Readonly<Record<string, Relation>> {
  return Object.fromEntries(names.split(' ').map(name => [`\\${name}`, [name]]))
}
