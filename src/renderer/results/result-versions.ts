import type { Run } from '../../contract/runs/runs.schemas.ts'

/** A version number from the address, which may be hand-edited; the latest if invalid. */
export function chosenVersion(text: string, latest: number): number {
  const version = Number(text)
  return Number.isInteger(version) && version >= 1 && version <= latest ? version : latest
}

/** A result version with what made it: the run, a part of it, or a regrade. */
export function versionName({ parts }: Pick<Run, 'parts'>, version: number): string {
  if (version === 1) return '1, as the run ended'
  return parts.some(part => part.result_version === version) ? `${version}, after retry` : `${version}, regraded`
}
