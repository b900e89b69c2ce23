/**
 * The nonce that the service put into index.html for style elements. An attribute `nonce` would be blanked by the browser, so it
 * travels in a meta element.
 */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
}
