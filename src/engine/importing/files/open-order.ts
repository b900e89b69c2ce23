import { formatReaders } from '../formats.ts'
import { MediaIntake } from '../media/media-intake.ts'
import type { ImportOrder, MediaSetting, OpenedOrder } from './import-order.ts'
import { orderFault } from './order-fault.ts'
import { noStoredParts, openRecipe, type StoredPart } from './open-recipe.ts'

/** @throws OrderFault where what the files say of themselves cannot be done */
export function openOrder(
  { what, files }: ImportOrder,
  storedPart: StoredPart = noStoredParts,
  media: MediaSetting = { intake: new MediaIntake(), paths: [] },
): OpenedOrder {
  const opened =
    what.kind === 'recipe'
      ? openRecipe(what.recipe, files, what.base === undefined ? noStoredParts : storedPart, media.intake)
      : formatReaders[what.format].open(what, files, media)
  const { remote } = media.intake
  // Of what every row shows, such as a prompt: no row is to blame.
  const fault = remote?.takeFault()
  if (fault) throw orderFault(files[0]?.name ?? '', null, fault)
  return remote ? { ...opened, sources: opened.sources.map(source => ({ ...source, takeFault: () => remote.takeFault() })) } : opened
}
