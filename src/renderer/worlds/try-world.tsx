import { Button, Group, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { TryWorld } from '../../contract/worlds/play.schemas.ts'
import type { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { Episode } from '../samples/episode.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useTryWorld } from './worlds.queries.ts'

type Move = TryWorld['moves'][number]

/** A person plays the model: uses a tool or answers, and sees what the world does. */
export function TryWorldSection({ definition }: { readonly definition: WorldDefinition }) {
  const [first] = definition.tasks
  const [taskId, setTaskId] = useState(first?.id ?? '')
  const [moves, setMoves] = useState<readonly Move[]>([])
  const [tool, setTool] = useState<string | null>(definition.tools[0]?.name ?? null)
  const [given, setGiven] = useState('{}')
  const [answer, setAnswer] = useState('')
  const play = useTryWorld()
  const task = definition.tasks.find(({ id }) => id === taskId) ?? first
  const go = (next: readonly Move[]): void => {
    if (!task) return
    setMoves(next)
    play.mutate({ definition, task_id: task.id, epoch: 1, moves: [...next] })
  }
  const read = readArguments(given)
  const { data } = play
  const isOver = data?.ended ?? false
  return (
    <Section title="Try it yourself" aside={<span className="quiet small">You are the model. No model is called.</span>}>
      <div className="stack">
        <Group align="flex-end">
          <Select
            label="Task"
            data={definition.tasks.map(({ id }) => id)}
            value={task?.id ?? null}
            onChange={id => {
              setTaskId(id ?? '')
              setMoves([])
              play.reset()
            }}
          />
          <Button variant="default" onClick={() => go([])} loading={play.isPending}>
            {data ? 'Start over' : 'Start'}
          </Button>
        </Group>
        {play.error ? <ErrorState error={play.error} title="The move was not played" /> : null}
        {data && !data.episode
          ? data.opening.map(({ role, content }, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
              <div key={i}>
                <span className="quiet small">{role}</span> <UntrustedText text={content} />
              </div>
            ))
          : null}
        {data?.episode ? <Episode episode={data.episode} /> : null}
        {data?.verdict ? (
          <output style={{ display: 'block' }}>
            <strong>{data.verdict.value === null ? 'No verdict' : data.verdict.value >= 1 ? 'Passed' : 'Failed'}</strong>{' '}
            <UntrustedText text={data.verdict.explanation} layout="inline" />
          </output>
        ) : null}
        {data && !isOver ? (
          <>
            <Group align="flex-end">
              <Select label="Tool" data={definition.tools.map(({ name }) => name)} value={tool} onChange={setTool} />
              <Textarea
                label="Arguments"
                w={360}
                autosize
                minRows={1}
                classNames={{ input: 'worlds-source' }}
                error={read === null ? 'Enter a JSON object' : null}
                {...textField(given, setGiven)}
              />
              <ReasonedButton
                blocked={read === null ? 'Enter the arguments as a JSON object.' : tool === null ? 'Choose a tool.' : null}
                variant="default"
                loading={play.isPending}
                onClick={() => read !== null && tool !== null && go([...moves, { calls: [{ name: tool, arguments: read }] }])}
              >
                Use tool
              </ReasonedButton>
            </Group>
            <Group align="flex-end">
              <Textarea label="Answer" w={520} autosize minRows={1} {...textField(answer, setAnswer)} />
              <Button loading={play.isPending} onClick={() => go([...moves, { answer }])}>
                Answer
              </Button>
            </Group>
          </>
        ) : null}
      </div>
    </Section>
  )
}

function readArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
