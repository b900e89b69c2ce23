import type { CookiesSetDetails } from 'electron'
import { sessionCookie } from '../service/auth/index.ts'

/**
 * The cookie that signs the window in. Without a domain it belongs to this host alone; without an expiry it lives in memory and is
 * gone with the app; scripts cannot read it and no other site's request carries it. Not `secure`, since the service speaks plain HTTP
 * on the loopback interface.
 */
export function signInCookie(serviceOrigin: string, token: string): CookiesSetDetails {
  return { url: `${serviceOrigin}/`, name: sessionCookie, value: token, path: '/', httpOnly: true, sameSite: 'strict', secure: false }
}
