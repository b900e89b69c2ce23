import type { SampleGroup, SampleGroups } from '../../contract/runs/samples.schemas.ts'
import { formatPercent } from '../../lib/format/percent.ts'

const words: Readonly<Record<SampleGroup, string>> = {
  refused: 'refused',
  cut_off: 'cut off at the token limit',
  unscored: 'unscored',
  no_answer: 'no answer extracted',
  other_form: 'answer in another form',
  partial: 'partly right',
  wrong: 'wrong',
}

/** In words: "unscored: ambiguous". */
export function groupWords(group: SampleGroup, code: string | null): string {
  return code === null ? words[group] : `${words[group]}: ${code.replaceAll('_', ' ')}`
}

/** Share of the scored samples from which on a group says more about the setup than about the model. */
const NOTABLE = 0.05

export interface GroupNotice {
  readonly group: SampleGroup
  readonly title: string
  readonly advice: string
  /** The button for other grading of the stored answers, which makes no model calls; null where that cannot help. */
  readonly regrade: string | null
}

const advice: Partial<Record<SampleGroup, Pick<GroupNotice, 'advice' | 'regrade'>>> = {
  refused: {
    advice:
      'Read a few: change the prompt, or use a model or provider without that filter. A refusal in words is graded as a wrong answer.',
    regrade: null,
  },
  cut_off: { advice: 'Raise the max output tokens and run again: reasoning counts toward the limit.', regrade: null },
  no_answer: {
    advice: 'Ask for the final answer in a fixed form, or grade the stored answers again.',
    regrade: 'Regrade with another extraction…',
  },
  other_form: {
    advice: 'These would be right under a lenient reading. Ask for the exact form, or grade the stored answers again.',
    regrade: 'Regrade with a lenient scorer…',
  },
}

/** What to change where more than 5 % of the scored samples have one cause beside the model's knowledge. */
export function groupNotices({ groups, scored }: SampleGroups): readonly GroupNotice[] {
  return groups.flatMap(({ group, count }) => {
    const known = advice[group]
    if (known === undefined || scored === 0 || count / scored <= NOTABLE) return []
    return [{ group, title: `${formatPercent(count / scored)} ${words[group]}`, ...known }]
  })
}
