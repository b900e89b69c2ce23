import { notifications } from '@mantine/notifications'
import { ServiceError } from '../../../contract/index.ts'

/** A short word that something was done; it goes by itself. */
export function notifyDone(message: string): void {
  notifications.show({ message, autoClose: 4_000 })
}

export function notifyCopied(what: string): void {
  notifyDone(`Copied the ${what}.`)
}

/** A failure that has no place of its own on the page. Stays until it is closed. */
export function notifyFailed(title: string, error: unknown): void {
  const requestId = error instanceof ServiceError && error.requestId ? ` (request ${error.requestId})` : ''
  notifications.show({
    title,
    message: `${error instanceof Error ? error.message : String(error)}${requestId}`,
    color: 'red',
    autoClose: false,
  })
}
