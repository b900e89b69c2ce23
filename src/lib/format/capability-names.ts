const names = new Map([
  ['loglikelihood', 'log-likelihoods'],
  ['loglikelihood_rolling', 'log-likelihoods of whole texts'],
  ['tools', 'native tool calls'],
])

/** What a model can do, in words; one that is not known here keeps its own name. */
export function capabilityName(capability: string): string {
  return names.get(capability) ?? capability.replaceAll('_', ' ')
}
