/** Identity of a benchmark version: `eval://<provider>/<name>/<version>`. */
export function sourceRef(provider: string, name: string, version: string): string {
  return `eval://${provider}/${name}/${version}`
}

/** The name and version of an alias `<name>@<version>`; null for any other text. */
export function parseAlias(text: string): { readonly name: string; readonly version: string } | null {
  const at = text.lastIndexOf('@')
  return at > 0 && at < text.length - 1 ? { name: text.slice(0, at), version: text.slice(at + 1) } : null
}

/** `<slug>@<version>:<profile>`; without the version while the data is missing. */
export function profileId(slug: string, version: string | null, key: string): string {
  return version === null ? `${slug}:${key}` : `${slug}@${version}:${key}`
}
