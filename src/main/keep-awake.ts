import { powerMonitor, powerSaveBlocker } from 'electron'
import type { KeepAwake } from './settings.ts'

/** Keeps the machine, not its screen, from sleeping while runs are working, as the setting has it. */
export interface Wakefulness {
  /** Takes in how many runs make calls now. */
  readonly working: (runs: number) => void
  /** Takes in that the setting was changed. */
  readonly changed: () => void
}

export function createWakefulness(choice: () => KeepAwake): Wakefulness {
  let runs = 0
  let blocker: number | null = null
  const apply = (): void => {
    const wanted = runs > 0 && (choice() === 'always' || (choice() === 'on-power' && !powerMonitor.isOnBatteryPower()))
    if (wanted && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension')
    else if (!wanted && blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }
  powerMonitor.on('on-ac', apply)
  powerMonitor.on('on-battery', apply)
  return {
    working: now => {
      runs = now
      apply()
    },
    changed: apply,
  }
}
