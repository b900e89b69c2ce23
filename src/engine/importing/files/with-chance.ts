import type { BenchmarkDefinition } from '../../tasks/definition.ts'

/** Blind guessing depends on the choices, which only the data tell. */
export function withChance(definition: BenchmarkDefinition, chanceLevel: number | null): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, chanceLevel: profile.chanceLevel ?? chanceLevel })) }
}
