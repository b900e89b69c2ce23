import './sign-in.css'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Mark } from '../../charts/mark.ts'
import { usePair } from '../api/session.queries.ts'
import { textField } from '../ui/forms/fields.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'

/** Replaces every page until sign-in; then opens the requested page. */
export function SignInPage() {
  const pair = usePair()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { mutate } = pair
  useEffect(() => {
    const given = takeCode()
    if (given !== null) mutate(given)
    // There is one thing to do here.
    else field.current?.focus()
  }, [mutate])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    pair.mutate(code)
  }
  return (
    <main className="sign-in">
      <Page>
        <Mark size={56} />
        <PageHeader
          title="Sign in to Assay"
          description="Enter the one-time code that the service printed when it started. To get a new one, run “assay pair” on the machine it runs on (“npm run pair” in a checkout), with its --data-dir if it was started with one."
        />
        <form onSubmit={submit} className="stack">
          <TextInput
            label="Pairing code"
            description="Dashes and case do not matter."
            autoComplete="one-time-code"
            spellCheck={false}
            ref={field}
            required
            classNames={{ input: 'mono' }}
            {...textField(code, setCode)}
            error={pair.error?.message}
          />
          <Button type="submit" loading={pair.isPending}>
            Sign in
          </Button>
        </form>
      </Page>
    </main>
  )
}

/** The code in the address that "assay open" opens; a second look finds none. */
function takeCode(): string | null {
  const code = /^#pair=([\w-]{1,40})$/.exec(location.hash)?.[1]
  if (code === undefined) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}
