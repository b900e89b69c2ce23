import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createHeadlessHost } from '../../src/headless/host.ts'
import { createService } from '../../src/service/create-service.ts'

/** A service in a process of its own that reports its memory and the delay of its event loop when asked. */
const [dataDir = ''] = process.argv.slice(2)
const delay = monitorEventLoopDelay({ resolution: 1 })
let peak = 0
let cpu = process.cpuUsage()
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 50)

const started = performance.now()
const service = await createService(
  { dataDir, port: 0, portMayMove: false, rendererDir: null, logLevel: 'warn' },
  createHeadlessHost(dataDir),
)
process.send?.({ kind: 'ready', ms: performance.now() - started, sinceProcessStart: performance.now() })

process.on('message', message => {
  switch (message) {
    case 'begin':
      delay.enable()
      delay.reset()
      peak = process.memoryUsage.rss()
      cpu = process.cpuUsage()
      break
    case 'end': {
      delay.disable()
      const { user, system } = process.cpuUsage(cpu)
      process.send?.({
        kind: 'measured',
        cpuMs: (user + system) / 1000,
        loopP99: delay.percentile(99) / 1e6,
        loopMax: delay.max / 1e6,
        peakRss: peak,
      })
      break
    }
    case 'stop':
      clearInterval(watch)
      void service.close().then(() => process.disconnect())
      break
  }
})
