import { readFileSync } from 'node:fs'
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a service's process before anything of its own: tells, when asked, what the process used and how its event loop fared. In
 * JavaScript, because Node's loader of TypeScript would take 20 MB of the memory that is measured.
 */
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let peak = 0
  let cpu = process.cpuUsage()
  /** Processor time of this thread alone between two looks: whatever else the machine does, a long turn of the loop is in it. */
  let busy = process.threadCpuUsage()
  const turns = createHistogram()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(busy)
    turns.record(Math.max(1, user + system))
    busy = process.threadCpuUsage()
  }, 1).unref()
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50).unref()

  process.on('message', message => {
    if (message === 'begin') {
      delay.enable()
      delay.reset()
      peak = process.memoryUsage.rss()
      cpu = process.cpuUsage()
      turns.reset()
    }
    if (message === 'end') {
      delay.disable()
      const { user, system } = process.cpuUsage(cpu)
      const { heapUsed, external } = process.memoryUsage()
      process.send?.({
        kind: 'measured',
        cpuMs: (user + system) / 1000,
        loopP99: delay.percentile(99) / 1e6,
        loopMax: delay.max / 1e6,
        turnCpuP99: turns.percentile(99) / 1000,
        longestTurnCpuMs: turns.max / 1000,
        peakRss: peak,
        ownMemory: ownMemory(),
        heapUsed,
        external,
      })
    }
  })
  // A bench that broke off leaves no service behind, whose probe would take processor time from the next.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // Being asked does not keep a service alive that wants to end.
  process.channel?.unref()
}

/** Bytes that belong to the process alone, without mapped files such as the database; null where the system does not say. */
function ownMemory() {
  try {
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return found === undefined ? null : Number(found) * 1024
  } catch {
    return null
  }
}
