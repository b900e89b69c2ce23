import { ApiError } from './errors.ts'

/** A state machine as data: the contract declares it, storage enforces it, the UI asks it which buttons to show. */
export interface Machine<State extends string = string, Event extends string = string> {
  /** The resource, in the words of the glossary. */
  readonly resource: string
  readonly states: readonly State[]
  readonly initial: State
  readonly terminal: readonly State[]
  readonly events: Readonly<Record<Event, { readonly from: readonly State[]; readonly to: State }>>
}

export function defineMachine<const State extends string, const Event extends string>(
  machine: Machine<State, Event>,
): Machine<State, Event> {
  return machine
}

export function allows<State extends string, Event extends string>(machine: Machine<State, Event>, state: State, event: Event): boolean {
  return machine.events[event].from.includes(state)
}

export function isTerminal<State extends string, Event extends string>(machine: Machine<State, Event>, state: State): boolean {
  return machine.terminal.includes(state)
}

export function illegalTransition(resource: string, id: string, state: string, event: string): ApiError {
  return new ApiError('illegal_transition', `The ${resource} "${id}" is ${state}, so "${event}" is not possible now.`)
}
