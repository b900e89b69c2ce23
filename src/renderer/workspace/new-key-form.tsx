import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import type { CreatedApiKey } from '../../contract/keys/keys.schemas.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { checkField, textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { ceilingRules, grantsLabels, type KeyErrors, type KeyForm, keyFormFor, keyOfForm, lifetimes, refusedKeyFields } from './key-form.ts'
import { useCreateKey } from './keys.queries.ts'
import { ScopesField } from './scopes-field.tsx'
import { useRole } from './use-role.ts'

const lifetimeWords = { '30': '30 days', '90': '90 days', '365': '1 year', date: 'Custom date', never: 'Never' } as const

export function NewKeyForm({ onMade }: { readonly onMade: (made: CreatedApiKey) => void }) {
  const { mayAdminister, isOwner } = useRole()
  const { get } = useAddress()
  const [form, setForm] = useState(() => keyFormFor(get('scopes')))
  const [errors, setErrors] = useState<KeyErrors>({})
  const create = useCreateKey()
  const change = (changes: Partial<KeyForm>): void => {
    setForm(before => ({ ...before, ...changes }))
    setErrors({})
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const read = keyOfForm(form, Date.now(), mayAdminister, isOwner)
    if ('errors' in read) return setErrors(read.errors)
    create.mutate(read.body, {
      onSuccess: onMade,
      onError: error => setErrors(error instanceof ServiceError ? refusedKeyFields(error) : {}),
    })
  }
  return (
    <form className="stack" style={{ gap: 24 }} onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        description="Who or what uses it: “nightly evaluation on build server”."
        required
        maw={480}
        maxLength={200}
        error={errors.name}
        {...textField(form.name, text => change({ name: text }))}
      />
      <Section title="Permissions">
        <ScopesField value={form.scopes} error={errors.scopes} onChange={scopes => change({ scopes })} />
        {grantsLabels(form, isOwner) ? (
          <TextInput
            label="Worker labels"
            description="What its workers may take: code, model.<connection ID>, or model.* for every connection."
            maw={480}
            error={errors.workerLabels}
            {...textField(form.workerLabels, text => change({ workerLabels: text }))}
          />
        ) : null}
      </Section>
      <Section title="Expires">
        <SegmentedControl
          aria-label="Lifetime"
          style={{ alignSelf: 'flex-start' }}
          data={lifetimes.map(value => ({ value, label: lifetimeWords[value] }))}
          value={form.lifetime}
          onChange={value => change({ lifetime: oneOf(value, lifetimes) ?? form.lifetime })}
        />
        {form.lifetime === 'date' ? (
          <TextInput
            type="date"
            label="Last day, to its end in UTC"
            w={220}
            error={errors.lastDay}
            {...textField(form.lastDay, text => change({ lastDay: text }))}
          />
        ) : null}
      </Section>
      {mayAdminister ? (
        <Section title="Spending limit">
          <Checkbox
            label="Limit spending from the wallet"
            description="Over the lifetime of the key. 0 blocks all spending."
            {...checkField(form.limited, isChecked => change({ limited: isChecked }))}
          />
          {form.limited ? (
            <DollarField
              label="Wallet spending limit"
              value={form.ceilingDollars}
              error={errors.ceilingDollars}
              onChange={ceilingDollars => change({ ceilingDollars })}
            />
          ) : null}
          <DollarField
            label="Provider spending limit"
            description="Provider billing through connections, over the lifetime of the key."
            rules={ceilingRules}
            value={form.providerCeilingDollars}
            error={errors.providerCeilingDollars}
            onChange={providerCeilingDollars => change({ providerCeilingDollars })}
          />
        </Section>
      ) : null}
      {create.isError && Object.keys(errors).length === 0 ? <ErrorState error={create.error} title="Couldn’t create the key" /> : null}
      <FormActions>
        <Button type="submit" loading={create.isPending}>
          Create key
        </Button>
        <Button component={Link} to="/workspace/keys" variant="default">
          Cancel
        </Button>
      </FormActions>
    </form>
  )
}
