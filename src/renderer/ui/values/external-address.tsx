import { CopyButton } from './copy-button.tsx'
import { UntrustedText } from './untrusted-text.tsx'

/**
 * An address outside of this machine, as text in full and to copy. Never a link: Assay opens nothing in the network by itself, and
 * a link's words could hide where it goes.
 */
export function ExternalAddress({ address }: { readonly address: string }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
      <span className="mono" style={{ overflowWrap: 'anywhere' }}>
        <UntrustedText text={address} layout="prose" />
      </span>
      <CopyButton value={address} what="address" />
    </span>
  )
}
