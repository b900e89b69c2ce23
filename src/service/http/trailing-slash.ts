/** A path with a trailing slash is the same path. */
export function withoutTrailingSlash(address: string): string {
  return address.replace(/(?<=.)\/(?=\?|$)/, '')
}
