import './sign-in.css'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Mark } from '../../charts/mark.ts'
import { usePair } from '../api/session.queries.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'

/** Replaces every page until sign-in; then opens the requested page. */
export function SignInPage() {
  const pair = usePair()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // There is one thing to do here.
  useEffect(() => field.current?.focus(), [])
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
          description="Enter the one-time code that the service printed when it started. To get a new one, run “npm run pair” on the machine it runs on."
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
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
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
