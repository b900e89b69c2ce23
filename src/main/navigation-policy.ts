/**
 * Whether the window may go to `target`: only pages of the service itself, at exactly its scheme, address and port. Compared as
 * parsed URLs, because `http://127.0.0.1:4747.example.com/` starts with the right letters too.
 */
export function isAllowedNavigation(target: string, serviceOrigin: string): boolean {
  const url = URL.parse(target)
  return url !== null && url.protocol === 'http:' && url.username === '' && url.password === '' && url.origin === serviceOrigin
}

/** Whether a download may start: a page of the service made it, as its own URL or as a blob. */
export function isAllowedDownload(address: string, serviceOrigin: string): boolean {
  if (isAllowedNavigation(address, serviceOrigin)) return true
  const url = URL.parse(address)
  return url !== null && url.protocol === 'blob:' && url.origin === serviceOrigin
}
