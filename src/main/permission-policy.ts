import type { Session } from 'electron'
import { isAllowedNavigation } from './navigation-policy.ts'

/** The part of a session that decides what its pages may ask of the machine. */
type PermissionGate = Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'>

/**
 * Denies camera, microphone, location, notifications, devices and all else: no screen of Assay needs any. All three handlers, since
 * a page that is refused a request may still pass the silent check, and devices have a gate of their own.
 */
export function denyAllPermissions(session: PermissionGate): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/**
 * Denies all but one thing: the service's own page may put text on the clipboard when the user clicks "Copy". It may not read the
 * clipboard, and no frame within the page may do either.
 */
export function allowOnlyCopying(session: PermissionGate, serviceOrigin: string): void {
  const isCopying = (permission: string, address: string | undefined, inMainFrame: boolean) =>
    permission === 'clipboard-sanitized-write' && inMainFrame && address !== undefined && isAllowedNavigation(address, serviceOrigin)
  denyAllPermissions(session)
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(isCopying(permission, details.requestingUrl, details.isMainFrame)),
  )
  session.setPermissionCheckHandler((_contents, permission, _origin, details) =>
    isCopying(permission, details.requestingUrl, details.isMainFrame),
  )
}
