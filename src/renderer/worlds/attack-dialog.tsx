import { Modal, MultiSelect, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  attackNames,
  goalMark,
  hasGoals,
  mostGoals,
  type NewAttack,
  type PublishedAttack,
  rewrittenNames,
} from '../../contract/worlds/attacks.schemas.ts'
import { environmentAddress } from '../catalog/catalog-links.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { attackTitles, describeGoal } from './attack-titles.ts'
import { AttackWriter } from './attack-writer.tsx'
import { useAttackWorld, useLatestWorld } from './worlds.queries.ts'

interface AttackDialogProps {
  readonly slug: string
  readonly tools: readonly string[]
  readonly onClose: () => void
}

/** Values of the goal: neither a tool nor a rule has a colon in its name. */
const canary = 'canary'
const ruleMark = 'rule:'

/** Makes the attacked form of an environment: which attacks, and what the attacker wants. */
export function AttackDialog({ slug, tools, onClose }: AttackDialogProps) {
  const navigate = useNavigate()
  const attack = useAttackWorld(slug)
  const policies = useLatestWorld(slug).data?.definition.policies ?? []
  const [names, setNames] = useState<readonly PublishedAttack[]>(attackNames)
  const [texts, setTexts] = useState('')
  const rewrites = texts.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.trim()]))
  const [goal, setGoal] = useState<string>(canary)
  const submit = (): void =>
    attack.mutate({ attacks: [...names], rewrites, ...goalOf(goal) }, { onSuccess: made => void navigate(environmentAddress(made.slug)) })
  return (
    <Modal opened onClose={onClose} title="Attack this environment" size="lg">
      <div className="stack">
        <MultiSelect
          label="Attacks"
          description="Each makes one variant of every task"
          data={attackNames.map(value => ({ value, label: attackTitles[value] }))}
          value={[...names]}
          onChange={chosen => setNames(attackNames.filter(name => chosen.includes(name)))}
        />
        <Select
          label="Goal of the attacker"
          description="A canary word, a broken policy rule, or a call of a tool"
          data={[
            { value: canary, label: describeGoal({ kind: 'canary', name: null }) },
            ...policies.map(({ name }) => ({ value: `${ruleMark}${name}`, label: describeGoal({ kind: 'policy_rule', name }) })),
            ...tools.map(name => ({ value: name, label: describeGoal({ kind: 'forbidden_call', name }) })),
          ]}
          value={goal}
          onChange={value => setGoal(value ?? canary)}
        />
        <Textarea
          label="Own texts"
          description={`At most ${rewrittenNames.length}, one a line; ${goalMark} stands for the goal.`}
          autosize
          minRows={2}
          error={textsProblem(rewrites)}
          {...textField(texts, setTexts)}
        />
        <AttackWriter onWritten={written => setTexts(written.map(text => text.replaceAll(/\s*\n\s*/g, ' ')).join('\n'))} />
        {attack.error ? <ErrorState error={attack.error} title="The attacks were not created" /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            blocked={names.length === 0 ? 'Choose an attack.' : textsProblem(rewrites)}
            loading={attack.isPending}
            onClick={submit}
          >
            Create
          </ReasonedButton>
        </DialogActions>
      </div>
    </Modal>
  )
}

function goalOf(value: string): Pick<NewAttack, 'forbidden_call' | 'policy_rule'> {
  if (value === canary) return {}
  return value.startsWith(ruleMark) ? { policy_rule: value.slice(ruleMark.length) } : { forbidden_call: { name: value } }
}

function textsProblem(rewrites: readonly string[]): string | null {
  if (rewrites.length > rewrittenNames.length) return `At most ${rewrittenNames.length} texts.`
  return rewrites.every(hasGoals) ? null : `Write ${goalMark} where the goal belongs, at most ${mostGoals} times a text.`
}
