/** How saving ended. `reason` is written for the user. */
export type SaveOutcome =
  | { readonly outcome: 'saved'; readonly name: string }
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'failed'; readonly reason: string }

/** Menu items that the page executes. */
export type DesktopCommand = 'new-quote' | 'command-palette' | 'help' | 'settings' | 'feedback' | 'find'

/** What the desktop shell adds to the page, as `window.assay`. In a browser it is absent. */
export interface AssayBridge {
  readonly platform: string
  /** Asks where and saves there. Rejects when the name's extension is not one that Assay saves. */
  saveFile(suggestedName: string, data: Uint8Array | string): Promise<SaveOutcome>
  /** Prints a self-contained HTML report as a PDF and saves it under a name ending in `.pdf`. Rejects when it cannot be laid out. */
  printPdf(html: string, suggestedName: string): Promise<SaveOutcome>
  /** Opens the file that was saved last, in the program that the system has for it. Resolves to why it could not be; empty when it was. */
  openSaved(): Promise<string>
  /** Where a file lies that was dropped on the page; empty for one that is on no disk. */
  pathOf(file: File): string
  /** Calls back for each menu item chosen. Answers a function that ends it. */
  onCommand(callback: (command: DesktopCommand) => void): () => void
  /** Calls back with the path of each page that the shell wants shown. Answers a function that ends it. */
  onOpen(callback: (path: string) => void): () => void
  /** Marks a text in the page; `next` moves on from the present match. Resolves to which of how many matches is shown. */
  findInPage(text: string, forward: boolean, next: boolean): Promise<{ readonly active: number; readonly matches: number }>
  /** Ends the search and leaves the present match selected. */
  stopFinding(): Promise<void>
}
