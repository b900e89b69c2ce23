/** An expression as the scorer sees it: symbols are lower case as Inspect has them, `>` is `<` turned round. */
export type MathNode =
  /** A literal as written, digits kept: `0.50` and `1.5e3` are inexact, `15` is exact. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'call'; readonly head: string; readonly args: readonly MathNode[] }

export function isCall(node: MathNode, head: string): node is Extract<MathNode, { kind: 'call' }> {
  return node.kind === 'call' && node.head === head
}
