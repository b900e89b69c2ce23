import { Button, Select, TextInput } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import type { ProxyBody, ProxySetting } from '../../contract/network/proxy.schemas.ts'
import { textField } from '../ui/forms/fields.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useIsMachineOwner } from '../workspace/members.queries.ts'
import { useProxy, useSetProxy } from './network.queries.ts'

const modes: Readonly<Record<ProxySetting['mode'], string>> = {
  environment: 'From the environment',
  none: 'No proxy',
  proxy: 'This proxy',
}
const sources = { option: 'start option --proxy', setting: 'this setting', environment: 'environment' } as const

/** Through which proxy servers are called: what counts now, and the setting. */
export function ProxySection() {
  return (
    <QueryView query={useProxy()} failure="Couldn’t load the proxy">
      {setting => (
        <>
          <KeyValues
            items={{
              Proxy: <UntrustedText text={inUse(setting)} layout="inline" />,
              'Set by': sources[setting.in_use.from],
              'Called directly':
                setting.in_use.except.length === 0 ? null : <UntrustedText text={setting.in_use.except.join(', ')} layout="prose" />,
            }}
          />
          <ProxyForm key={JSON.stringify([setting.mode, setting.url, setting.except])} setting={setting} />
        </>
      )}
    </QueryView>
  )
}

function inUse({ in_use: { http, https } }: ProxySetting): string {
  if (http === https) return https ?? 'none'
  return `${https ?? 'none'} for https, ${http ?? 'none'} for http`
}

function ProxyForm({ setting }: { readonly setting: ProxySetting }) {
  const [mode, setMode] = useState(setting.mode)
  const [url, setUrl] = useState(setting.url ?? '')
  const [except, setExcept] = useState(setting.except.join(', '))
  const save = useSetProxy()
  const mayAdminister = useIsMachineOwner()
  const body: ProxyBody = { mode, url: mode === 'proxy' ? url : null, except: mode === 'proxy' ? listed(except) : [] }
  const isSame = mode === setting.mode && (body.url ?? '') === (setting.url ?? '') && body.except.join() === setting.except.join()
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    save.mutate(body, { onError: error => notifyFailed('Couldn’t set the proxy', error) })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Select
        label="Proxy for calls to other machines"
        description={
          setting.in_use.from === 'option' ? 'The service was started with --proxy, which counts before this setting.' : undefined
        }
        w={260}
        disabled={!mayAdminister || save.isPending}
        data={Object.entries(modes).map(([value, label]) => ({ value, label }))}
        value={mode}
        onChange={value => setMode(value === 'none' || value === 'proxy' ? value : 'environment')}
      />
      {mode === 'proxy' ? (
        <>
          <TextInput
            label="Address"
            placeholder="http://proxy.example:3128"
            maw={420}
            required
            disabled={!mayAdminister}
            {...textField(url, setUrl)}
          />
          <TextInput
            label="Call directly"
            description="Hosts, addresses and ranges such as 10.0.0.0/8, separated by commas"
            maw={420}
            disabled={!mayAdminister}
            {...textField(except, setExcept)}
          />
        </>
      ) : null}
      <div>
        <Button type="submit" variant="default" loading={save.isPending} disabled={!mayAdminister || isSame}>
          Save proxy
        </Button>
      </div>
    </form>
  )
}

const listed = (text: string): string[] => text.split(/[\s,]+/).filter(host => host !== '')
