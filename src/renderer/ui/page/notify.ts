import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { FailureMessage } from './failure-message.tsx'

/** A short word that something was done; it goes by itself. */
export function notifyDone(message: string): void {
  notifications.show({ message, autoClose: 4_000 })
}

export function notifyCopied(what: string): void {
  notifyDone(`Copied the ${what}.`)
}

/** A failure without a place on the page. Stays until it is closed. */
export function notifyFailed(title: string, error: unknown): void {
  notifications.show({
    title,
    message: createElement(FailureMessage, { title, error: error instanceof Error ? error : new Error(String(error)) }),
    color: 'red',
    autoClose: false,
  })
}
