import { createService } from '../service/create-service.ts'
import { isOurService } from '../service/lifecycle/running-service.ts'
import { startDesktop } from './desktop.ts'

startDesktop({ createService, isOurService, mainDir: import.meta.dirname })
