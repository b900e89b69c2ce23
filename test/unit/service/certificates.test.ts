import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { assertCertificates } from '../../../src/service/connections/assert-certificates.ts'

const [first = '', second = ''] = rootCertificates

test.each([
  ['nothing', null, null],
  ['two whole ones', `${first}\n${second}`, null],
  ['one that is cut off before another', `${first.slice(0, 200)}\n${second}`, 'cut off or damaged'],
  ['one with a stray hyphen beside another', `${first.replace(/\n(\w)/, '\n-$1')}\n${second}`, 'cut off or damaged'],
  ['a part alone', first.slice(0, 200), 'no whole certificate'],
  ['another text between the marks', first.replace(/\n[\s\S]*\n/, '\nAAAA\n'), 'cannot be read'],
])('of certificates, %s is taken or refused', (_, pem, reason) => {
  const check = () => assertCertificates(pem)
  if (reason === null) expect(check).not.toThrow()
  else expect(check).toThrow(reason)
})
