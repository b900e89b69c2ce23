import { formatReaders } from '../formats.ts'
import { MediaIntake } from '../media/media-intake.ts'
import type { ImportOrder, MediaSetting, OpenedOrder } from './import-order.ts'
import { noStoredParts, openRecipe, type StoredPart } from './open-recipe.ts'

/** @throws OrderFault where what the files say of themselves cannot be done */
export function openOrder(
  { what, files }: ImportOrder,
  storedPart: StoredPart = noStoredParts,
  media: MediaSetting = { intake: new MediaIntake(), paths: [] },
): OpenedOrder {
  if (what.kind === 'recipe') return openRecipe(what.recipe, files, what.base === undefined ? noStoredParts : storedPart, media.intake)
  return formatReaders[what.format].open(what, files, media)
}
