import { keepHeapSmall } from '../headless/frugal-process.ts'
import { createService } from '../service/create-service.ts'
import { serveOverPort } from './serve-over-port.ts'

// The entry of the utility process that the service runs in.
keepHeapSmall()
serveOverPort(process.parentPort, createService)
