import { ipcMain, type IpcMainInvokeEvent, type WebContents, type WebFrameMain } from 'electron'
import type { InvokeChannel } from './channels.ts'

/** The only page that is listened to. */
export interface TrustedPage {
  readonly contents: WebContents
  readonly origin: string
}

/** Whether a message comes from the top frame of the window's own page, while that page is the service's. */
export function isTrustedSender(event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>, page: TrustedPage): boolean {
  // Null once the frame that sent the message has gone or moved to another page.
  const frame: Pick<WebFrameMain, 'parent' | 'origin'> | null = event.senderFrame
  return event.sender === page.contents && frame !== null && frame.parent === null && frame.origin === page.origin
}

export interface Channel<Input, Output> {
  /** Checks what the page sent. Throws a TypeError naming the argument that is wrong. */
  readonly parse: (args: readonly unknown[]) => Input
  readonly run: (input: Input) => Promise<Output>
}

/** The one place where the shell listens to a page. `page` answers null while there is no window. */
export function handle<Input, Output>(name: InvokeChannel, page: () => TrustedPage | null, channel: Channel<Input, Output>): void {
  ipcMain.handle(name, async (event, ...args: unknown[]) => {
    const trusted = page()
    if (trusted === null || !isTrustedSender(event, trusted)) {
      throw new Error(`${name} answers only the top frame of Assay's own window.`)
    }
    return channel.run(channel.parse(args))
  })
}
