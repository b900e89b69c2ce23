/** What a profile needs and a model lacks. A model that chats also completes text. */
export function missingCapabilities(needs: readonly string[], has: readonly string[]): string[] {
  return needs.filter(need => !has.includes(need) && !(need === 'completion' && has.includes('chat')))
}
