import errors from 'undici/lib/core/errors.js'
import type { Fault } from '../fault.ts'
import { AddressRefusedError } from './connector.ts'
import { ProxyError } from './tunnel.ts'

/** What happened, to follow the server's name, and what to do, by error code of Node and undici. */
const unreachable: Readonly<Record<string, readonly [string, string]>> = {
  ECONNREFUSED: ['refuses connections', 'Check that the server is running and that the port is right.'],
  ENOTFOUND: ['is not known: its name cannot be resolved', 'Check the spelling of the address and the network.'],
  EAI_AGAIN: ['could not be looked up just now', 'Check the network.'],
  EHOSTUNREACH: ['cannot be reached from this network', 'Check the address and the network.'],
  ENETUNREACH: ['cannot be reached from this network', 'Check the address and the network.'],
  ETIMEDOUT: ['does not answer', 'Check the address and any firewall.'],
  UND_ERR_CONNECT_TIMEOUT: ['did not accept a connection within 10 s', 'Check the address and any firewall.'],
  ECONNRESET: ['cut the connection before it answered', 'If it happens again, look at the server’s log.'],
  EPIPE: ['cut the connection before it answered', 'If it happens again, look at the server’s log.'],
  UND_ERR_SOCKET: ['cut the connection before it answered', 'If it happens again, look at the server’s log.'],
  EMFILE: ['could not be called: this machine has no file handles left', 'Lower the connection’s concurrency or raise the limit.'],
  EPROTO: ['does not speak TLS as expected', 'Check whether the address should start with http:// instead.'],
}

const server = 'Look at the server or the proxy in front of it.'
const notHttp = 'answered something that is not HTTP. Check the port, and whether the address should start with https://.'

/** Answers that cannot be read, by error code, or undici's message where the code says less, to follow the server's name. */
const unusable: readonly (readonly [string, string])[] = [
  ['HPE_HEADER_OVERFLOW', `sent more response headers than Assay accepts (16 kB). ${server}`],
  ['UND_ERR_HEADERS_OVERFLOW', `sent more response headers than Assay accepts (16 kB). ${server}`],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', `answered with a Content-Length that contradicts itself or the body. ${server}`],
  ['bad response', `answered “100 Continue”, which Assay never requests. ${server}`],
  ['bad upgrade', `answered “101 Switching Protocols”, which Assay never requests. ${server}`],
]

const certificateCodes = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_)/

/** Names a failure before the head of a response. */
export function networkFault(error: Error, origin: string): Fault {
  const refusal = [error, error.cause].find(cause => cause instanceof AddressRefusedError)
  if (refusal) return { code: 'address_refused', message: refusal.message }
  const proxyFault = [error, error.cause].find(cause => cause instanceof ProxyError)
  if (proxyFault) return { code: 'unreachable', message: proxyFault.message }
  const code = errorCode(error)
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return { code: 'cancelled', message: 'The connection was closed while the call waited.' }
  if (certificateCodes.test(code)) {
    const advice =
      'Assay never skips this check: install a valid certificate on the server, or add its certificate authority to the connection.'
    return { code: 'certificate_refused', message: `The certificate of ${origin} is not valid (${code}). ${advice}` }
  }
  const read = unusable.find(([found]) => found === code || found === error.message)?.[1]
  const answered = read ?? (error instanceof errors.HTTPParserError ? notHttp : undefined)
  if (answered !== undefined) return { code: 'bad_response', message: `${origin} ${answered}` }
  const [happened, advice] = unreachable[code] ?? ['could not be reached', 'Check the address and the network.']
  return { code: 'unreachable', message: `${origin} ${happened}${code === '' ? '' : ` (${code})`}. ${advice}` }
}

function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
