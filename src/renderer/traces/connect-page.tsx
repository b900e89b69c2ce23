import './traces.css'
import { Button, Group, Radio, Stepper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ProviderProjects } from '../../contract/traces/integrations.schemas.ts'
import { useChange, useOnce } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import {
  accessKeyBody,
  CredentialFields,
  isSaidByFields,
  keyPairBody,
  missingCredential,
  noCredentials,
  type TypedCredentials,
} from './credential-fields.tsx'
import { type ProviderWords, providerWords } from './integration-words.ts'

/** Provider, credentials, project. */
export function ConnectPage() {
  const navigate = useNavigate()
  const [provider, setProvider] = useState<ProviderWords | null>(null)
  const [typed, setTyped] = useState<TypedCredentials>(noCredentials)
  const [projectId, setProjectId] = useState<string | null>(null)
  const discover = useDiscovery()
  const connect = useConnect()
  const [step, setStep] = useState(0)
  const projects = discover.data?.items ?? []

  const look = (of: ProviderWords) =>
    discover.mutate(
      { provider: of, typed },
      {
        onSuccess: ({ items }) => {
          setProjectId(items.length === 1 ? (items[0]?.id ?? null) : null)
          setStep(2)
        },
      },
    )
  const finish = (of: ProviderWords, id: string) =>
    connect.mutate({ provider: of, typed, projectId: id }, { onSuccess: created => void navigate(`/traces/integrations/${created.id}`) })

  return (
    <Page layout="narrow">
      <PageHeader
        title="Connect a tracing provider"
        parent={{ title: 'Trace integrations', to: '/traces/integrations' }}
        description="Read-only: nothing is written at the provider and its graders are not run."
      />
      <Stepper active={step} onStepClick={setStep} size="sm" allowNextStepsSelect={false}>
        <Stepper.Step label="Provider">
          <div className="traces-form">
            <Radio.Group
              label="Provider"
              value={provider?.slot ?? null}
              onChange={value => {
                setProvider(providerWords.find(({ slot }) => slot === value) ?? null)
                setTyped(noCredentials)
              }}
            >
              <div className="traces-choices">
                {providerWords.map(({ slot, title, description }) => (
                  <Radio key={slot} value={slot} label={title} description={description} />
                ))}
              </div>
            </Radio.Group>
            <Group>
              <ReasonedButton blocked={provider ? null : 'Choose a provider.'} onClick={() => setStep(1)}>
                Next
              </ReasonedButton>
            </Group>
          </div>
        </Stepper.Step>
        <Stepper.Step label="Credentials">
          {provider ? (
            <form
              className="traces-form"
              onSubmit={event => {
                event.preventDefault()
                look(provider)
              }}
            >
              <CredentialFields provider={provider} value={typed} onChange={setTyped} error={discover.error} />
              {discover.error && !isSaidByFields(discover.error) ? (
                <ErrorState error={discover.error} title={`Couldn’t reach your ${provider.title} projects`} reportable={false} />
              ) : null}
              <Group>
                <Button variant="default" onClick={() => setStep(0)}>
                  Back
                </Button>
                <ReasonedButton type="submit" blocked={missingCredential(provider, typed)} loading={discover.isPending}>
                  List projects
                </ReasonedButton>
              </Group>
            </form>
          ) : null}
        </Stepper.Step>
        <Stepper.Step label="Project">
          {provider ? (
            <div className="traces-form">
              {projects.length === 0 ? (
                <Notice tone="warn" title="No projects">
                  The key reads no project. Use a key of another workspace.
                </Notice>
              ) : (
                <Radio.Group label="Project" value={projectId} onChange={setProjectId}>
                  <div className="traces-choices">
                    {projects.map(({ id, name, workspace }) => (
                      <Radio
                        key={id}
                        value={id}
                        label={<UntrustedText text={workspace ? `${workspace} / ${name}` : name} layout="inline" />}
                      />
                    ))}
                  </div>
                </Radio.Group>
              )}
              {connect.error ? <ErrorState error={connect.error} title="Couldn’t connect the project" reportable={false} /> : null}
              <Group>
                <Button variant="default" onClick={() => setStep(1)}>
                  Back
                </Button>
                <ReasonedButton
                  blocked={projectId === null ? 'Choose a project.' : null}
                  loading={connect.isPending}
                  onClick={() => projectId !== null && finish(provider, projectId)}
                >
                  Connect
                </ReasonedButton>
              </Group>
            </div>
          ) : null}
        </Stepper.Step>
      </Stepper>
    </Page>
  )
}

interface DiscoveryRequest {
  readonly provider: ProviderWords
  readonly typed: TypedCredentials
}

function useDiscovery() {
  return useMutation({
    mutationFn: async ({ provider, typed }: DiscoveryRequest): Promise<ProviderProjects> => {
      const items: ProviderProjects['items'] = []
      // Some hundred projects at most are of use in a list to choose from.
      for (let cursor: string | undefined, pages = 0; pages < 10; pages++) {
        const more = cursor === undefined ? {} : { cursor }
        const page: ProviderProjects =
          provider.slot === 'provider-a'
            ? await call('discoverProviderAProjects', { body: { ...keyPairBody(typed), ...more } })
            : await call(provider.slot === 'provider-b' ? 'discoverProviderBProjects' : 'discoverProviderCProjects', {
                body: { ...accessKeyBody(typed), ...more },
              })
        items.push(...page.items)
        if (page.next_cursor === null) break
        cursor = page.next_cursor
      }
      return { items, next_cursor: null }
    },
  })
}

const useConnect = () =>
  useChange(
    useOnce(
      'new-trace-integration',
      ({ provider: { slot }, typed, projectId }: DiscoveryRequest & { readonly projectId: string }, headers) =>
        slot === 'provider-a'
          ? call('connectProviderA', { body: { ...keyPairBody(typed), project_id: projectId }, headers })
          : call(slot === 'provider-b' ? 'connectProviderB' : 'connectProviderC', {
              body: { ...accessKeyBody(typed), project_id: projectId },
              headers,
            }),
    ),
    ['traces', 'integrations'],
  )
