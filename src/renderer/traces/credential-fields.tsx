import { PasswordInput, TextInput } from '@mantine/core'
import { ServiceError } from '../../contract/client.ts'
import { textField } from '../ui/forms/fields.ts'
import type { ProviderWords } from './integration-words.ts'

/** What a person types; only the required fields are sent. */
export interface TypedCredentials {
  readonly address: string
  readonly key: string
  readonly secret: string
}

export const noCredentials: TypedCredentials = { address: '', key: '', secret: '' }

/** What a person has yet to type; null: all is there. */
export function missingCredential({ slot, defaultAddress }: ProviderWords, { address, key, secret }: TypedCredentials): string | null {
  if (defaultAddress === null && address.trim() === '') return 'Enter the address.'
  if (slot === 'provider-a' && (key.trim() === '' || secret.trim() === '')) return 'Enter both keys.'
  return key.trim() === '' ? 'Enter the API key.' : null
}

/** For provider-a. */
export function keyPairBody({ address, key, secret }: TypedCredentials) {
  return { host: address.trim(), public_key: key.trim(), secret_key: secret.trim() }
}

/** For provider-b and provider-c. */
export function accessKeyBody({ address, key }: TypedCredentials) {
  return { access_key: key.trim(), ...(address.trim() === '' ? {} : { base_url: address.trim() }) }
}

/** Fields of a request whose refusal is shown beside them. */
const shownFields = ['host', 'base_url', 'public_key', 'secret_key', 'access_key'] as const

/** Whether the fields themselves say all of it. */
export function isSaidByFields(error: Error | null): boolean {
  return error instanceof ServiceError && error.detail.some(({ loc }) => shownFields.some(name => loc.includes(name)))
}

interface CredentialFieldsProps {
  readonly provider: ProviderWords
  readonly value: TypedCredentials
  readonly onChange: (value: TypedCredentials) => void
  readonly error: Error | null
  /** The address of a stored integration, which doesn’t change. */
  readonly fixedAddress?: string
}

export function CredentialFields({ provider, value, onChange, error, fixedAddress }: CredentialFieldsProps) {
  const isPair = provider.slot === 'provider-a'
  const errorAt = (name: string) => (error instanceof ServiceError ? error.detail.find(({ loc }) => loc.includes(name))?.msg : undefined)
  return (
    <>
      <TextInput
        label="Address"
        description={provider.addressHint}
        required={provider.defaultAddress === null}
        disabled={fixedAddress !== undefined}
        placeholder={provider.defaultAddress ?? 'https://cloud.langfuse.com'}
        error={errorAt('host') ?? errorAt('base_url')}
        {...textField(fixedAddress ?? value.address, text => onChange({ ...value, address: text }))}
      />
      {isPair ? (
        <TextInput
          label="Public key"
          required
          placeholder="pk-lf-…"
          error={errorAt('public_key')}
          {...textField(value.key, text => onChange({ ...value, key: text }))}
        />
      ) : null}
      <PasswordInput
        label={isPair ? 'Secret key' : 'API key'}
        description="Stored encrypted, sent only to this address, never shown again"
        required
        error={errorAt('secret_key') ?? errorAt('access_key')}
        {...textField(isPair ? value.secret : value.key, text => onChange({ ...value, [isPair ? 'secret' : 'key']: text }))}
      />
    </>
  )
}
