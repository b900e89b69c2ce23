/** What the DOM library of this TypeScript does not declare yet. */
export interface TrustedTypes {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string }): unknown
}

/**
 * What may be written into the page as markup, for the whole page: the style sheets that the component library puts into its own style
 * elements, and nothing that could hold an element. Scripts and addresses of scripts get no rule, so they are refused by the browser.
 */
export function allowOnlyStyles(trustedTypes: TrustedTypes | undefined): void {
  trustedTypes?.createPolicy('default', { createHTML: onlyStyles })
}

/** @throws TypeError when the text holds what could open an element */
export function onlyStyles(text: string): string {
  if (text.includes('<')) throw new TypeError('Markup is never written into the page: show text as text.')
  return text
}
