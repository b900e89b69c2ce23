import { createService } from '../service/create-service.ts'
import { startDesktop } from './desktop.ts'

startDesktop({ createService, mainDir: import.meta.dirname })
