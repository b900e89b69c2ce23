/** An address that may be offered to the user's browser. */
export interface ExternalLink {
  readonly href: string
  /** In punycode, so that a host in look-alike letters shows as what it is; with the port where it is not 443. */
  readonly host: string
}

/** Longest address offered. Longer ones carry a payload rather than a place. */
const longestAddress = 2048
/** How much of the address the question shows. */
const shownLength = 300

/** The link as it may be offered, or null where it may not: only https, and no user name or password in it. */
export function parseExternalLink(address: string): ExternalLink | null {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href.length > longestAddress ? null : { href: url.href, host: url.host }
}

/** What the shell needs in order to ask and to open. */
export interface ExternalLinkPorts {
  /** Whether the user confirms opening the link. */
  confirm(question: { readonly message: string; readonly detail: string }): Promise<boolean>
  open(href: string): Promise<void>
}

/**
 * Makes the one way out of the window. It asks first, because a link in a model's answer is written by the model, and it asks one
 * question at a time, so that a page cannot bury the user in them.
 */
export function createExternalLinks(ports: ExternalLinkPorts): (address: string) => Promise<void> {
  let asking = false
  return async address => {
    const link = parseExternalLink(address)
    if (link === null || asking) return
    asking = true
    try {
      const detail = link.href.length > shownLength ? `${link.href.slice(0, shownLength)}…` : link.href
      if (await ports.confirm({ message: `Open ${link.host} in your browser?`, detail })) await ports.open(link.href)
    } finally {
      asking = false
    }
  }
}
