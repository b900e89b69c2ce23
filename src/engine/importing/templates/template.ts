import { parse, tokenize } from '@huggingface/jinja'
import { attributeOf, evaluator } from './evaluate.ts'
import { isSame, isTruthy, pythonText } from './python-text.ts'
import { isScriptSame, isScriptTruthy, scriptText } from './script-text.ts'
import { type Dialect, TemplateError } from './template-error.ts'
import { type Expression, knownNodes, type Statement } from './template-node.ts'
import { filters, methods, OperationError } from './text-operations.ts'
import { messageOf } from '../../../lib/message-of.ts'

export interface Template {
  /** @throws TemplateError where the values lack what it names, or an operation fails */
  render(values: Readonly<Record<string, unknown>>): string
}

/** As in lm-evaluation-harness: a name without a value is an error, values print as Python writes them. */
export const jinja: Dialect = { show: pythonText, isTruthy, isSame, lenient: false }

/** As in promptfoo: a name without a value prints as nothing, and values are printed, compared and true as in JavaScript. */
export const nunjucks: Dialect = { show: scriptText, isTruthy: isScriptTruthy, isSame: isScriptSame, lenient: true }

/**
 * A template in the part of Jinja that is read: texts, fields, literals, conditions, loops over what a field holds, the filters and
 * methods of `text-operations.ts`. Nothing in it can reach anything but the values it is given.
 * @throws TemplateError naming what is not in that part
 */
export function compileTemplate(source: string, dialect: Dialect): Template {
  const body = parsed(source)
  checkNodes(body)
  // The parser drops a line feed at the end, which belongs to the prompt.
  const end = source.endsWith('\n') ? '\n' : ''
  return {
    render: values => {
      try {
        return evaluator(dialect, values).text(body) + end
      } catch (error) {
        if (error instanceof OperationError) throw new TemplateError(error.message)
        // A text beyond what JavaScript can hold, or brackets nested too deep.
        throw error instanceof RangeError ? new TemplateError('its text becomes too long') : error
      }
    },
  }
}

export function isTemplate(source: string): boolean {
  return /\{[{%#]/.test(source)
}

function parsed(source: string): readonly Statement[] {
  try {
    // Every node is checked before any is evaluated.
    return parse(tokenize(withoutRaw(source))).body as unknown as readonly Statement[]
  } catch (error) {
    throw new TemplateError(`it is no template: ${messageOf(error)}`)
  }
}

/** The text in a `raw` block as a literal that is printed as it is; the parser does not know the block. */
function withoutRaw(source: string): string {
  return source.replaceAll(
    /\{%(-?) ?raw ?(-?)%\}([\s\S]*?)\{%(-?) ?endraw ?(-?)%\}/g,
    (_, before: string, first: string, text: string, last: string, after: string) => {
      const inner = last === '' ? (first === '' ? text : text.trimStart()) : first === '' ? text.trimEnd() : text.trim()
      return `{{${before} ${JSON.stringify(inner)} ${after}}}`
    },
  )
}

function checkNodes(node: unknown): void {
  if (node instanceof Map) for (const entry of node) checkNodes(entry)
  else if (Array.isArray(node)) for (const inner of node) checkNodes(inner)
  else if (typeof node === 'object' && node !== null) checkNode(node)
}

function checkNode(node: object): void {
  const type = 'type' in node ? String(node.type) : ''
  // An operator token has its own type and no value.
  if ('value' in node && Object.keys(node).length === 2 && !knownNodes.has(type)) return
  if (!knownNodes.has(type)) throw new TemplateError(`"${type}" is not in the part of the template language that is read`)
  // Its type was looked at just now.
  const known = node as Expression
  if (known.type === 'FilterExpression') return checkFilter(known)
  if (known.type === 'CallExpression') checkCall(known.callee)
  for (const inner of Object.values(node)) if (typeof inner === 'object') checkNodes(inner)
}

function checkFilter({ operand, filter }: Extract<Expression, { type: 'FilterExpression' }>): void {
  const name = filter.type === 'CallExpression' ? filter.callee : filter
  if (name.type !== 'Identifier' || !Object.hasOwn(filters, name.value))
    throw new TemplateError(
      `the filter "${name.type === 'Identifier' ? name.value : name.type}" is not read; there are ${Object.keys(filters).join(', ')}`,
    )
  checkNodes(operand)
  if (name.value === 'map') attributeOf(filter)
  else if (filter.type === 'CallExpression') checkNodes(filter.args)
}

function checkCall(callee: Expression): void {
  if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier') {
    if (Object.hasOwn(methods, callee.property.value)) return
    throw new TemplateError(`the method "${callee.property.value}" is not read; there are ${Object.keys(methods).join(', ')}`)
  }
  if (callee.type === 'Identifier' && callee.value === 'range') return
  throw new TemplateError(`the function "${callee.type === 'Identifier' ? callee.value : callee.type}" is not read`)
}
