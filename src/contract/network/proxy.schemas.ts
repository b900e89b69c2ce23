import { z } from 'zod'
import { named } from '../primitives.ts'

const Exceptions = z
  .array(
    z
      .string()
      .min(1)
      .max(260)
      .regex(/^[^\s,]+$/, 'must hold no spaces and no commas'),
  )
  .max(200)
  .describe('Names with all below them, addresses, ranges such as 10.0.0.0/8, each perhaps with a port; * is everything.')

const Mode = z
  .enum(['environment', 'none', 'proxy'])
  .describe('As HTTPS_PROXY, HTTP_PROXY and NO_PROXY say; no proxy; or the proxy of `url` for everything but `except`.')

/** Through which proxy servers are called. */
export const ProxySetting = named('ProxySetting', {
  mode: Mode,
  url: z.string().nullable().describe('Null unless the mode is `proxy`.').meta({ example: 'http://proxy.example:3128' }),
  except: Exceptions,
  in_use: z
    .strictObject({
      from: z.enum(['option', 'setting', 'environment']).describe('`option`: --proxy, which counts before the setting.'),
      http: z.string().nullable().describe('Scheme, host and port of the proxy for http:// addresses; null: none.'),
      https: z.string().nullable().describe('The same for https:// addresses.'),
      except: Exceptions,
    })
    .describe('What counts now. This machine is never called through a proxy.'),
})
export type ProxySetting = z.infer<typeof ProxySetting>

export const ProxyBody = named('ProxyBody', {
  mode: Mode,
  url: z.string().min(1).max(2000).nullable().default(null).describe('Required by the mode `proxy`.'),
  except: Exceptions.default([]),
})
export type ProxyBody = z.infer<typeof ProxyBody>
