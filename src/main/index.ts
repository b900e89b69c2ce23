import { createService } from '../service/create-service.ts'
import { isOurService } from '../service/lifecycle/running-service.ts'
import { startDesktop } from './desktop.ts'

/** Set when the app is built. */
declare const __ASSAY_UPDATES_URL__: string

startDesktop({ createService, isOurService, mainDir: import.meta.dirname, updatesUrl: __ASSAY_UPDATES_URL__ })
