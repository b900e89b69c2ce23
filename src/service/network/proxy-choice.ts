import type { z } from 'zod'
import { invalidField } from '../../contract/errors.ts'
import { type ProxyBody, ProxySetting } from '../../contract/network/proxy.schemas.ts'
import { type Proxies, proxyOrigin, chosenProxyUrl, proxyUrl } from '../../engine/clients/http/proxies.ts'
import { readSetting, writeSetting } from '../../storage/settings.ts'
import type { Kernel } from '../kernel.ts'
import { messageOf } from '../../lib/message-of.ts'

const name = 'network-proxy'

/** As it is stored; nothing is stored where the environment decides. */
const Stored = ProxySetting.pick({ mode: true, url: true, except: true })
const unset: z.infer<typeof Stored> = { mode: 'environment', url: null, except: [] }

/** Which proxy servers are called through: the start option before the stored setting, that before the environment. */
export interface ProxyChoice {
  /** Undefined: the service was started without any. */
  inUse(): Proxies | undefined
  read(): ProxySetting
  /** Holds from the next call on. @throws ApiError validation_error where the address is of no HTTP proxy, or holds a password */
  set(body: ProxyBody): ProxySetting
}

export function createProxyChoice({ db, config }: Pick<Kernel, 'db' | 'config'>): ProxyChoice {
  const started = config.proxies
  let stored = Stored.safeParse(readSetting(db, name)).data ?? unset
  const proxiesOf = ({ mode, url, except }: typeof stored): Proxies | undefined => {
    if (started?.from === 'option' || mode === 'environment') return started
    const proxy = url === null ? null : proxyUrl('url', url)
    return { from: 'setting', http: proxy, https: proxy, except }
  }
  let inUse = proxiesOf(stored)
  const read = (): ProxySetting => {
    const { from = 'environment', http = null, https = null, except = [] } = inUse ?? {}
    return { ...stored, in_use: { from, http: http && proxyOrigin(http), https: https && proxyOrigin(https), except: [...except] } }
  }
  return {
    inUse: () => inUse,
    read,
    set: ({ mode, url, except }) => {
      const next = mode === 'proxy' ? { mode, url: acceptedUrl(url), except } : { mode, url: null, except: [] }
      writeSetting(db, name, next)
      stored = next
      inUse = proxiesOf(next)
      return read()
    },
  }
}

function acceptedUrl(text: string | null): string {
  const refuse = (message: string) => invalidField(['body', 'url'], message)
  if (text === null) throw refuse('the mode "proxy" needs the address of an HTTP proxy such as http://proxy.example:3128')
  let url: URL | null = null
  try {
    url = chosenProxyUrl('The address', text.trim())
  } catch (error) {
    throw refuse(messageOf(error))
  }
  if (url === null) throw refuse('the address is empty')
  if (url.username !== '' || url.password !== '')
    throw refuse('the address holds a user name or password, which are not stored; start the service with HTTPS_PROXY or --proxy instead')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw refuse('the address must end after its port')
  return url.origin
}
