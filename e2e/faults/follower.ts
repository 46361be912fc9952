/** A client of the change feed that goes on through all faults: it keeps its position, and asks again when it gets no answer. */
import { setTimeout as pause } from 'node:timers/promises'
import { call } from './client.ts'
import type { World } from './world.ts'

export interface Followed {
  readonly id: string
  readonly objectId: number
  /** Links of one object that are made at the same time have no order. */
  readonly isLink: boolean
}

export const followedTypes = ['product', 'keyword', 'asset']
const types = followedTypes.map((type) => `kontor.${type}.*`).join()

interface Page {
  readonly position: string
  readonly events?: readonly { readonly id: string; readonly data: { readonly id: number; readonly action?: string } }[]
}

/** Reads what there is, and notes it in `world.followed`. Returns whether the position has moved. */
export async function followOn(world: World, wait = 0): Promise<boolean> {
  const before = world.position
  const reply = await call(world, `/api/v1/events?after=${before}&count=200&wait=${wait}&types=${types}`)
  if (reply.kind !== 'ok') {
    await pause(50)
    return false
  }
  const { position, events = [] } = reply.json as Page
  for (const { id, data } of events)
    world.followed.push({ id, objectId: data.id, isLink: data.action === 'link' || data.action === 'unlink' })
  world.position = position
  return position !== before
}

export async function followAlways(world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await followOn(world, 1)
}
