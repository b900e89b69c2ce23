import type { Command } from 'commander'

/** A required argument; commander has refused the command line where it is missing. */
export function argumentOf(command: Command, index: number): string {
  const found = command.args[index]
  if (found === undefined) throw new RangeError(`${command.name()} has no argument ${index}.`)
  return found
}
