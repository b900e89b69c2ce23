import type { WebContents } from 'electron'
import { isAllowedNavigation } from './navigation-policy.ts'

export interface ContentsPolicy {
  /** Origin of the service: the only place a page may go. */
  readonly origin: string
  /** Offers an address that was refused to the user's browser. */
  readonly openExternally: (address: string) => void
}

/** Keeps a page where it belongs: no other site, no second window, no page within the page. */
export function guardContents(contents: WebContents, policy: ContentsPolicy): void {
  contents.on('will-navigate', details => {
    if (isAllowedNavigation(details.url, policy.origin)) return
    details.preventDefault()
    policy.openExternally(details.url)
  })
  // Frames within the page, and redirects of any frame, are refused without asking, since the user did not click them.
  contents.on('will-frame-navigate', details => {
    if (!isAllowedNavigation(details.url, policy.origin)) details.preventDefault()
  })
  contents.on('will-redirect', details => {
    if (!isAllowedNavigation(details.url, policy.origin)) details.preventDefault()
  })
  contents.on('will-attach-webview', event => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    // A link of our own that asks for a new tab opens here; the way back is in the menu.
    if (isAllowedNavigation(url, policy.origin)) void contents.loadURL(url)
    else policy.openExternally(url)
    return { action: 'deny' }
  })
}
