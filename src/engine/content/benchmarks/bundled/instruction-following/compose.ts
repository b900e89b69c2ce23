import type { Draw } from '../../../../tasks/draw.ts'
import type { Constraint } from './kinds/constraint.ts'
import type { Topic } from './topics/topic.ts'

interface Composed {
  readonly prompt: string
  readonly instructions: readonly { readonly id: string; readonly kwargs: Readonly<Record<string, unknown>> }[]
  /** An answer that follows every instruction. */
  readonly reference: string
  /** An answer that does not follow the first of the constraints. */
  readonly wrong: string
}

/** Builds the answer first and states the instructions from it, so that they can be followed and the answer follows them. */
export function compose(draw: Draw, topic: Topic, constraints: readonly Constraint[], sentences: readonly string[]): Composed {
  const plans = constraints.map(constraint => ({ id: constraint.id, plan: constraint.plan(draw, topic) }))
  const written = plans.reduce<readonly string[]>((list, { plan }) => plan.sentences?.(list) ?? list, sentences)
  const layout = plans.find(({ plan }) => plan.layout)?.plan.layout
  const text = layout ? layout(written) : written.join(' ')
  const frames = plans.flatMap(({ plan }) => plan.frame ?? []).sort((a, b) => a.rank - b.rank)
  const reference = frames.reduce((framed, frame) => frame.apply(framed), text)
  const stated = plans.map(({ id, plan }) => ({ id, plan, ...plan.state(reference) }))
  const [focus] = stated
  const plain = topic.sentences.slice(0, 3).join(' ')
  const order = draw.sample(stated, stated.length)
  return {
    prompt: [topic.request, ...order.map(({ wording }) => wording)].join(' '),
    instructions: order.map(({ id, kwargs }) => ({ id, kwargs })),
    reference,
    wrong: focus?.plan.broken?.(plain, focus.kwargs) ?? plain,
  }
}
