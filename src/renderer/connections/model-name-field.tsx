import { Autocomplete, Button } from '@mantine/core'
import type { Connection, EndpointModels } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { FieldsProps } from './connection-fields.tsx'
import { readLook } from './connection-form.ts'
import { useEndpointModels } from './models.queries.ts'

/** The model by its name, typed or chosen from what the endpoint lists. */
export function ModelNameField({ form, errors, onChange, stored }: FieldsProps & { readonly stored: Connection | null }) {
  const listing = useEndpointModels()
  const look = readLook(form, stored)
  const models = listing.data?.items ?? []
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
        />
        <Button variant="default" disabled={look === null} loading={listing.isPending} onClick={() => look && listing.mutate(look)}>
          List models
        </Button>
      </div>
      {listing.isError ? <ErrorState error={listing.error} title="The models could not be listed" /> : null}
      <output className="small quiet">{listing.data ? <Listed found={listing.data} /> : null}</output>
    </>
  )
}

function Listed({ found: { items, message } }: { readonly found: EndpointModels }) {
  if (message !== null) return <UntrustedText text={message} layout="prose" />
  return `The endpoint lists ${formatCount(items.length)} ${items.length === 1 ? 'model' : 'models'}. Choose one in the field above.`
}
