import './add-models-dialog.css'
import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useConnections, type useEndpointModels } from './models.queries.ts'
import { type EndpointConnection, type OtherModel, otherModels } from './other-models.ts'
import { useAddModels } from './use-add-models.ts'

interface AddModelsDialogProps {
  readonly of: EndpointConnection
  readonly listing: ModelListing
  readonly onRetry: () => void
  /** Connections that are chosen already. */
  readonly chosen: readonly string[]
  /** How many more can be chosen. */
  readonly room: number
  /** Called with the connection of each model as soon as it can be used. */
  readonly onReady: (connectionId: string) => void
  readonly onClose: () => void
}

export type ModelListing = Pick<ReturnType<typeof useEndpointModels>, 'data' | 'error'>

/** Rows of a list that is narrowed by typing. */
const mostShown = 200
/** A longer list keeps its height while it is narrowed, so that the field stays where it is. */
const foundAtOnce = 12

/** Ticks models that a connection's endpoint lists. One without a connection gets its own, with the same key and settings. */
export function AddModelsDialog({ of, listing: { data: listed, error }, onRetry, chosen, room, onReady, onClose }: AddModelsDialogProps) {
  const connections = useConnections()
  const adding = useAddModels(of)
  const close = (): void => {
    adding.stop()
    onClose()
  }
  const add = async (models: readonly OtherModel[]): Promise<void> => {
    if (await adding.add(models, onReady)) onClose()
  }
  return (
    <Modal opened onClose={close} title="Models of this endpoint" size="lg">
      {error ? (
        <ErrorState error={error} title="Couldn’t list the models" onRetry={onRetry} />
      ) : listed ? null : (
        <LinesSkeleton lines={6} />
      )}
      {listed && listed.message !== null ? (
        <p style={{ margin: 0, paddingBottom: 12 }}>
          {/* What is missing can be typed in the form of a connection, not here. */}
          {listed.items.length > 0 ? (
            'More models than can be listed. Use another by registering a connection with its name.'
          ) : (
            <UntrustedText text={listed.message} layout="prose" />
          )}
        </p>
      ) : null}
      {listed && listed.items.length > 0 ? (
        <ModelList
          models={otherModels(of, listed.items, connections.data ?? [], adding.made)}
          chosen={chosen}
          room={room}
          adding={adding}
          onAdd={models => void add(models)}
          onClose={close}
        />
      ) : null}
    </Modal>
  )
}

interface ModelListProps extends Pick<AddModelsDialogProps, 'chosen' | 'room' | 'onClose'> {
  readonly models: readonly OtherModel[]
  readonly adding: Pick<ReturnType<typeof useAddModels>, 'busyWith' | 'failed'>
  readonly onAdd: (models: readonly OtherModel[]) => void
}

function ModelList({ models, chosen, room, adding: { busyWith, failed }, onAdd, onClose }: ModelListProps) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [filter, setFilter] = useState('')
  const isChosen = ({ connection }: OtherModel) => connection !== null && chosen.includes(connection.id)
  const toAdd = models.filter(one => ticked.includes(one.model) && !isChosen(one))
  const found = models.filter(({ model }) => model.toLowerCase().includes(filter.trim().toLowerCase()))
  const needsCheck = toAdd.some(({ connection }) => connection?.status !== 'ready')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onAdd(toAdd)
  }
  if (models.length === 0) return <p style={{ margin: 0 }}>The endpoint lists no other model.</p>
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput label="Find a model" {...textField(filter, setFilter)} />
      <Checkbox.Group label={`Models (${formatCount(models.length)})`} value={[...ticked]} onChange={setTicked}>
        <div className="add-models-list" data-long={models.length > foundAtOnce || undefined}>
          {found.slice(0, mostShown).map(one => (
            <Checkbox
              key={one.model}
              value={one.model}
              label={<UntrustedText text={one.model} layout="prose" />}
              description={describe(one, isChosen(one))}
              disabled={busyWith !== null || isChosen(one) || (toAdd.length >= room && !ticked.includes(one.model))}
            />
          ))}
          {found.length === 0 ? <p className="quiet">No matching models</p> : null}
          {found.length > mostShown ? (
            <p className="quiet small">{`${formatCount(found.length - mostShown)} more: narrow the search`}</p>
          ) : null}
        </div>
      </Checkbox.Group>
      {failed.map(({ model, message }) => (
        <Notice key={model} tone="fail" title={`${model} can’t be used`}>
          <UntrustedText text={message} layout="prose" />
        </Notice>
      ))}
      <p className="quiet small" style={{ margin: 0 }}>
        Each new model becomes a connection with the same key, headers and settings; its price is unknown until you state it. Limits count
        for each connection.
        {needsCheck ? ' Its check makes small requests, which the provider may bill.' : ''}
      </p>
      <Group justify="flex-end">
        <output className="small">{busyWith === null ? '' : <UntrustedText text={`Checking ${busyWith}`} layout="prose" />}</output>
        <Button variant="default" onClick={onClose}>
          {busyWith === null ? 'Cancel' : 'Stop'}
        </Button>
        <ReasonedButton type="submit" loading={busyWith !== null} blocked={toAdd.length === 0 ? 'Tick at least one model' : null}>
          {toAdd.length === 0 ? 'Add models' : `Add ${formatCount(toAdd.length)} ${toAdd.length === 1 ? 'model' : 'models'}`}
        </ReasonedButton>
      </Group>
    </form>
  )
}

function describe({ connection, context_tokens }: OtherModel, isChosen: boolean): string | undefined {
  if (isChosen) return 'Already chosen'
  const context = context_tokens === null ? [] : [`${formatCount(context_tokens)} tokens of context`]
  const known = connection === null ? [] : [`connection ${connection.name}${connection.has_api_key ? ', its own key' : ''}`]
  return [...known, ...context].join(' · ') || undefined
}
