import { clientFor, type TestClient } from '../../support/client.ts'
import type { Workstation } from './workstation.ts'

/** The owner of a workstation without a browser, for what a test prepares or checks behind the page's back. */
export function ownerClient({ baseUrl, owner }: Workstation): TestClient {
  return clientFor(baseUrl, (owner['authorization'] ?? '').replace('Bearer ', ''), owner['x-workspace-id'] ?? '')
}
