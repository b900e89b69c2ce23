/** The nodes of a parsed template that are evaluated here. The library that parses exports no types of them. */
export type Expression =
  | { readonly type: 'Identifier'; readonly value: string }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'ArrayLiteral' | 'TupleLiteral'; readonly value: readonly Expression[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Expression, Expression> }
  | {
      readonly type: 'MemberExpression'
      readonly object: Expression
      readonly property: Expression | SliceExpression
      readonly computed: boolean
    }
  | { readonly type: 'CallExpression'; readonly callee: Expression; readonly args: readonly Expression[] }
  | { readonly type: 'KeywordArgumentExpression'; readonly key: { readonly value: string }; readonly value: Expression }
  | { readonly type: 'FilterExpression'; readonly operand: Expression; readonly filter: Expression }
  | { readonly type: 'TestExpression'; readonly operand: Expression; readonly negate: boolean; readonly test: { readonly value: string } }
  | {
      readonly type: 'BinaryExpression'
      readonly operator: { readonly value: string }
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly type: 'UnaryExpression'; readonly operator: { readonly value: string }; readonly argument: Expression }
  | { readonly type: 'Ternary'; readonly condition: Expression; readonly trueExpr: Expression; readonly falseExpr: Expression }
  | { readonly type: 'SelectExpression'; readonly lhs: Expression; readonly test: Expression }

export interface SliceExpression {
  readonly type: 'SliceExpression'
  readonly start?: Expression
  readonly stop?: Expression
  readonly step?: Expression
}

export type Statement =
  | Expression
  | { readonly type: 'Comment' }
  | { readonly type: 'If'; readonly test: Expression; readonly body: readonly Statement[]; readonly alternate: readonly Statement[] }
  | {
      readonly type: 'For'
      readonly loopvar: { readonly type: string; readonly value: string | readonly { readonly value: string }[] }
      readonly iterable: Expression
      readonly body: readonly Statement[]
      readonly defaultBlock: readonly Statement[]
    }
  | { readonly type: 'Set'; readonly assignee: Expression; readonly value: Expression | null; readonly body: readonly Statement[] }

/** Every kind of node that may occur; what is not here is refused before anything is rendered. */
export const knownNodes: ReadonlySet<string> = new Set([
  'Program',
  'Comment',
  'If',
  'For',
  'Set',
  'Identifier',
  'StringLiteral',
  'IntegerLiteral',
  'FloatLiteral',
  'ArrayLiteral',
  'TupleLiteral',
  'ObjectLiteral',
  'MemberExpression',
  'SliceExpression',
  'CallExpression',
  'FilterExpression',
  'TestExpression',
  'BinaryExpression',
  'UnaryExpression',
  'Ternary',
  'SelectExpression',
])
