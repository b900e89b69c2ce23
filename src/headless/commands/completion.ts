import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/** `assay completion bash|zsh|fish|powershell` prints the shell's script, which asks `assay completion -- …` for suggestions. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
}
