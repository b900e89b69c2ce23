/** Questions that the page may ask, and the whole of them. */
export const invokeChannels = ['assay:save-file', 'assay:print-pdf', 'assay:open-saved'] as const
export type InvokeChannel = (typeof invokeChannels)[number]

/** The one channel on which the shell tells the page that a menu item was chosen. */
export const commandChannel = 'assay:command'

/** Menu items that the page carries out. */
export type DesktopCommand = 'new-quote' | 'command-palette' | 'help' | 'settings' | 'feedback'
