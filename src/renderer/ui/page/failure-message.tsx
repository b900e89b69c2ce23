import { Anchor } from '@mantine/core'
import { ServiceError } from '../../../contract/client.ts'
import { reportAddress } from '../states/report-address.ts'
import { UntrustedText } from '../values/untrusted-text.tsx'

/** What a notification of a failure says. Notifications live outside of the router, hence a plain link. */
export function FailureMessage({ title, error }: { readonly title: string; readonly error: Error }) {
  return (
    <>
      <UntrustedText text={error.message} layout="prose" />
      {error instanceof ServiceError && error.requestId ? ` (request ${error.requestId})` : null}{' '}
      <Anchor href={reportAddress(error, title)} fz="inherit" underline="always">
        Report this
      </Anchor>
    </>
  )
}
