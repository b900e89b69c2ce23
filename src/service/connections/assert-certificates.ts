import { X509Certificate } from 'node:crypto'
import { invalidField } from '../../contract/errors.ts'

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Refuses text that TLS would ignore or fail on later. @throws ApiError validation_error */
export function assertCertificates(pem: string | null): void {
  if (pem === null) return
  const found = pem.match(certificate) ?? []
  if (found.length === 0) throw refused('holds no whole certificate: paste everything from BEGIN CERTIFICATE to END CERTIFICATE')
  if (found.length < (pem.match(/-----BEGIN CERTIFICATE-----/g) ?? []).length)
    throw refused('holds a certificate that is cut off or damaged')
  if (pem.includes('PRIVATE KEY')) throw refused('holds a private key: only certificates belong here')
  for (const [i, text] of found.entries()) {
    try {
      void new X509Certificate(text)
    } catch {
      throw refused(`certificate ${i + 1} of ${found.length} cannot be read`)
    }
  }
}

function refused(reason: string) {
  return invalidField(['body', 'ca_certificates'], reason, 'certificate_refused')
}
