import { Autocomplete, Button } from '@mantine/core'
import type { EndpointModels } from '../../contract/connections/connections.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { SecretFieldsProps } from './connection-fields.tsx'
import { readLook, refusedFields } from './connection-form.ts'
import { useEndpointModels } from './models.queries.ts'

interface ModelNameFieldProps extends Omit<SecretFieldsProps, 'isCopy'> {
  /** Receives the reason why models can't be listed for the address; null once a request is sent. */
  readonly onAddressError: (error: string | null) => void
}

/** The model by its name, typed or chosen from what the endpoint lists. */
export function ModelNameField({ form, errors, onChange, holder, onAddressError }: ModelNameFieldProps) {
  const listing = useEndpointModels()
  const look = readLook(form, holder)
  // What was answered for another address or key says nothing about this one.
  const isAbout = 'body' in look && JSON.stringify(look.body) === JSON.stringify(listing.variables)
  const models = (isAbout && listing.data?.items) || []
  const addressErrorOf = (error: Error) => refusedFields(error).base_url ?? null
  const fillOnly = ({ items: [only, another], message }: EndpointModels): void => {
    if (!only || another || message !== null || form.model !== '') return
    const context = only.context_tokens === null ? {} : { context_tokens: only.context_tokens }
    onChange({ model: only.model, ...context, ...(form.name === '' && { name: only.model }) })
  }
  const list = (): void => {
    onAddressError('body' in look ? null : (look.errors.base_url ?? Object.values(look.errors)[0] ?? null))
    if ('body' in look) listing.mutate(look.body, { onSuccess: fillOnly, onError: error => onAddressError(addressErrorOf(error)) })
  }
  const choose = (model: string): void => {
    const context = models.find(one => one.model === model)?.context_tokens ?? null
    onChange({ model, ...(context === null ? {} : { context_tokens: context }) })
  }
  return (
    <>
      <div className="row" style={{ alignItems: 'end', flexWrap: 'nowrap' }}>
        <Autocomplete
          label="Model"
          description="Model name used by the provider"
          required
          spellCheck={false}
          classNames={{ input: 'mono' }}
          style={{ flex: 1, minWidth: 0 }}
          limit={200}
          data={[...new Set(models.map(({ model }) => model))]}
          value={form.model}
          error={errors.model}
          onChange={choose}
          // A chosen model is a name that one recognizes; another can be typed.
          onOptionSubmit={model => form.name === '' && onChange({ name: model })}
        />
        <Button variant="default" loading={isAbout && listing.isPending} onClick={list}>
          List models
        </Button>
      </div>
      {isAbout && listing.isError && addressErrorOf(listing.error) === null ? (
        <ErrorState error={listing.error} title="Couldn’t list the models" />
      ) : null}
      <output className="small quiet">{isAbout && listing.data ? <Listed found={listing.data} /> : null}</output>
    </>
  )
}

function Listed({ found: { items, message } }: { readonly found: EndpointModels }) {
  if (message !== null) return <UntrustedText text={message} layout="prose" />
  if (items.length === 1) return 'The endpoint lists 1 model.'
  return `The endpoint lists ${formatCount(items.length)} models. Choose one in the field above.`
}
