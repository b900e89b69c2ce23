import type { Generation } from '../../../contract/catalog/benchmarks.schemas.ts'
import { describeReasoning } from '../../../contract/catalog/describe-generation.ts'
import { describeRequestSettings } from '../../../contract/connections/request-settings.schemas.ts'
import type { FrozenProfile, ModelSnapshot } from '../../../contract/quotes/quotes.schemas.ts'
import type { Pairing } from './pair-profiles.ts'
import { describePrompts, isSameModel, type RunFrame } from './run-frame.ts'

/** Sentences about what differs between two runs; null where nothing does. */

export function unpairedProfiles(baseline: RunFrame, contender: RunFrame, pairings: readonly Pairing[], run: number): string | null {
  const ofBaseline = pairings.filter(pairing => !pairing.counterparts[run]).map(pairing => pairing.profile.profile_id)
  const paired = new Set(pairings.map(pairing => pairing.profileNos[run]))
  const ofContender = contender.profiles.filter((_, no) => !paired.has(no)).map(profile => profile.profile_id)
  const parts = [
    ...(ofBaseline.length ? [`only "${baseline.name}" ran ${ofBaseline.join(', ')}`] : []),
    ...(ofContender.length ? [`only "${contender.name}" ran ${ofContender.join(', ')}`] : []),
  ]
  return parts.length ? `Left out of the comparison: ${parts.join('; ')}.` : null
}

interface Asked {
  readonly profile: FrozenProfile
  readonly run: Pick<RunFrame, 'execution'>
}

export function promptDifference(baseline: Asked, contender: Asked): string | null {
  if (baseline.profile.prompt_digest === contender.profile.prompt_digest) return null
  const [one = '', other = ''] = describePrompts([baseline.run.execution, contender.run.execution])
  const how = ({ profile }: Asked, prompt: string) =>
    `${profile.profile_id}, ${profile.shots} examples, ${prompt} (digest ${profile.prompt_digest.slice(0, 12)})`
  return `The prompts differ: ${how(baseline, one)} against ${how(contender, other)}.`
}

export function generationDifference(a: Generation, b: Generation): string | null {
  const temperature = ({ temperature: value }: Generation) => (value === null ? 'the provider’s own' : String(value))
  const reasoning = (one: Generation) => describeReasoning(one).join(' and ') || 'reasoning kept apart'
  const parts = [
    ...(a.temperature === b.temperature ? [] : [`temperature ${temperature(a)} against ${temperature(b)}`]),
    ...(a.max_output_tokens === b.max_output_tokens ? [] : [`at most ${a.max_output_tokens} against ${b.max_output_tokens} output tokens`]),
    ...(JSON.stringify(a.stop) === JSON.stringify(b.stop) ? [] : ['other stop texts']),
    ...(reasoning(a) === reasoning(b) ? [] : [`${reasoning(a)} against ${reasoning(b)}`]),
    ...(a.max_image_pixels === b.max_image_pixels ? [] : ['another limit of image sizes']),
  ]
  return parts.length ? `The generation settings differ: ${parts.join(', ')}.` : null
}

/** Settings of the connections; an unset one leaves the matter to the provider. */
export function settingsDifference(a: ModelSnapshot, b: ModelSnapshot): string | null {
  const settingsOf = ({ request_settings: settings }: ModelSnapshot) =>
    new Map((settings ? describeRequestSettings(settings) : []).map(({ name, value }) => [name, `${name} ${value}`]))
  const [ofA, ofB] = [settingsOf(a), settingsOf(b)]
  const own = 'the provider’s default'
  const parts = [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap(name => {
    const [one, other] = [ofA.get(name) ?? own, ofB.get(name) ?? own]
    return one === other ? [] : [one === own ? `${own} against ${other}` : `${one} against ${other.replace(`${name} `, '')}`]
  })
  return parts.length ? `The request settings differ: ${parts.join(', ')}.` : null
}

export function modelRemark(baseline: RunFrame, contender: RunFrame): string | null {
  const notModels = [...new Set([baseline, contender].filter(run => !run.model.is_model).map(run => run.model.title))]
  if (notModels.length === 2) return `${notModels.join(' and ')} are baselines, not models.`
  if (notModels.length === 1) return `${notModels[0]} is a baseline, not a model.`
  return isSameModel(baseline.model, contender.model)
    ? `Both ran ${baseline.model.title}: the difference is of settings or of chance.`
    : null
}

export function outcomeRemark(baseline: RunFrame, contender: RunFrame): string | null {
  const ended = [baseline, contender].filter(run => run.status !== 'complete').map(run => `"${run.name}" ended ${run.status}`)
  return ended.length ? `${ended.join(' and ')}: samples without a score are in no figure.` : null
}
