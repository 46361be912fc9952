/** Refuses to move attributes into or out of groups that grants of roles name, except to administrators. */
import { because } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import { findGuarded } from './attribute-groups.sql.ts'

type CheckMove = (from: string | undefined, to: string | undefined) => void

/** `isMoving`: whether the batch can move attributes at all. */
export async function guardGroups({ db, caller }: Context, model: Model, isMoving: boolean): Promise<CheckMove> {
  if (!isMoving || caller.roles.has('admin')) return () => {}
  const guarded = await findGuarded(db, model.groups.map(({ tid }) => tid)) // prettier-ignore
  return (from, to) => {
    if (from === to) return
    const group = [from, to].find((tid) => tid !== undefined && guarded.has(tid))
    if (group !== undefined) throw new Problem('forbidden', because('groupGuarded', { group }))
  }
}
