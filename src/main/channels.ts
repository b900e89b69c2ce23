/** Questions that the page may ask, and the whole of them. */
export const invokeChannels = ['assay:save-file', 'assay:print-pdf', 'assay:open-saved', 'assay:find', 'assay:stop-finding'] as const
export type InvokeChannel = (typeof invokeChannels)[number]

/** The channel on which the shell tells the page that a menu item was chosen. */
export const commandChannel = 'assay:command'

/** The channel on which the shell tells the page to show another one of Assay's pages. */
export const openChannel = 'assay:open'

/** Menu items that the page executes. */
export type DesktopCommand = 'new-quote' | 'command-palette' | 'help' | 'settings' | 'feedback' | 'find'
