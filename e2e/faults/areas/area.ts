/** A part of the workload: what clients do, and what must be true afterwards. */
import type { Client } from '../client.ts'
import type { World } from '../world.ts'

export interface Area {
  /** Before the first fault. */
  prepare?(): Promise<void>
  /** One step of a client, with one or a few requests. */
  step(client: Client): Promise<void>
  /** Yields every violation, after all faults have ended. */
  check(): AsyncIterable<string> | Iterable<string>
}
export type OpenArea = (world: World) => Area
