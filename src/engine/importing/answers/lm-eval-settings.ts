import { z } from 'zod'
import type { Generation } from '../../../contract/catalog/benchmarks.schemas.ts'

const Asked = z.looseObject({
  until: z
    .union([z.string().transform(stop => [stop]), z.array(z.string())])
    .nullish()
    .catch(null),
  do_sample: z.boolean().nullish().catch(null),
  temperature: z.number().min(0).max(2).nullish().catch(null),
  max_gen_toks: z.int().min(1).nullish().catch(null),
})

const usual: Generation = { temperature: 0, max_output_tokens: 1024, stop: [] }
/** As many as a profile has. */
const mostStops = 4

/** How the harness asked for answers, as the samples state it. */
export function askedSettings(
  title: string,
  continuations: readonly unknown[],
): { readonly generation: Generation; readonly warnings: readonly string[] } {
  const [first, ...others] = new Map(continuations.map(one => [JSON.stringify(one), one])).values()
  if (others.length > 0)
    return {
      generation: usual,
      warnings: [`Documents of "${title}" were asked with different settings. New runs ask all of them with the settings of the profile.`],
    }
  const { until, do_sample: isSampled, temperature, max_gen_toks: most } = Asked.safeParse(first).data ?? {}
  const stops = (until ?? []).filter(stop => stop !== '')
  return {
    generation: {
      temperature: temperature ?? (isSampled === true ? null : 0),
      max_output_tokens: most ?? usual.max_output_tokens,
      stop: stops.slice(0, mostStops),
    },
    warnings:
      stops.length > mostStops
        ? [
            `"${title}" stops at ${stops.length} texts. New runs stop at the first ${mostStops}: ${JSON.stringify(stops.slice(0, mostStops)).slice(0, 200)}.`,
          ]
        : [],
  }
}
