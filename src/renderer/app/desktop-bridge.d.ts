import type { AssayBridge } from '../../preload/bridge.ts'

declare global {
  interface Window {
    /** Absent in a browser. */
    readonly assay?: AssayBridge
  }
}
