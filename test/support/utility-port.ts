import { EventEmitter } from 'node:events'

/** Loaded before the script of a played utility process. */
class ParentPort extends EventEmitter {
  postMessage(message: object): void {
    process.send?.(message)
  }
}

const port = new ParentPort()
process.on('message', data => port.emit('message', { data }))
// As a utility process: it does not outlive what has started it.
process.on('disconnect', () => process.exit(0))
Object.defineProperty(process, 'parentPort', { value: port })
