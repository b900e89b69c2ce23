import { type Proxies, readProxies } from '../engine/clients/http/proxies.ts'

/** The proxies that this process was started with. @throws Error naming the variable that cannot be used */
export const environmentProxies = (): Proxies => readProxies(process.env)
