import { join } from 'node:path'
import { isOurService } from '../service/lifecycle/running-service.ts'
import { startDesktop } from './desktop.ts'
import { serviceIn } from './start-service.ts'

/** Set when the app is built. */
declare const __ASSAY_UPDATES_URL__: string

startDesktop({
  startService: serviceIn(join(import.meta.dirname, 'service.js')),
  isOurService,
  mainDir: import.meta.dirname,
  updatesUrl: __ASSAY_UPDATES_URL__,
})
