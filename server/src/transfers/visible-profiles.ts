/**
 * Profiles belong to everybody, but name attributes, categories and folders. A caller sees, uses and changes only the parts
 * that their rights allow, as if the others did not exist.
 */
import { allowsAt, pathsFor, rightsAnywhere, seesDefinition } from '../core/access/permissions.ts'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { type ProfileNeeds, readerOf } from './needs.ts'
import type { Profile } from './options.ts'
import { type Column, columnOf, fromProfile } from './plan.ts'

type Show = (profile: Profile) => Profile

/** The parts of profiles that the caller may see. */
export async function profileView(needs: ProfileNeeds, caller: Caller): Promise<Show> {
  const { permissions } = caller
  const rights = rightsAnywhere(permissions, 'product')
  const seesNode = await nodeView(needs, caller)
  const seesColumn = ({ attr, parent, locale }: Column) => {
    if (attr === undefined) return true
    const key = parent === undefined ? attr : `${parent}/${attr}`
    return (
      seesDefinition(permissions, 'product', key) && (locale === undefined || rights.attribute(key, locale).visible)
    )
  }
  return (profile) => {
    const { columns, constants, mediaPath, ...others } = profile
    return {
      ...others,
      ...(mediaPath !== undefined && allowsAt(permissions, 'read', 'dir', mediaPath) && { mediaPath }),
      ...(constants && {
        constants: filtered(constants, (heading, value) => {
          const column = columnOf(heading)
          return !column || (seesColumn(column) && (column.field !== 'node' || seesNode(value)))
        }),
      }),
      ...(columns && {
        columns: columns.flatMap((one) => {
          const column = fromProfile(one.column, one)
          if (column && !seesColumn(column)) return []
          if (one.field !== 'node' || !one.values) return [one]
          return [{ ...one, values: filtered(one.values, (_, value) => seesNode(value)) }]
        }),
      }),
    }
  }
}

const filtered = <T>(entries: Readonly<Record<string, T>>, isKept: (key: string, value: T) => boolean) =>
  Object.fromEntries(Object.entries(entries).filter(([key, value]) => isKept(key, value)))

async function nodeView(needs: ProfileNeeds, caller: Caller): Promise<(text: string) => boolean> {
  if (pathsFor(caller.permissions, 'read', 'node') === 'all') return () => true
  const find = await needs.findCategory(readerOf(needs, caller))
  return (text) => {
    try {
      return find(text) !== undefined
    } catch (error) {
      if (error instanceof Problem) return true // several visible categories fit
      throw error
    }
  }
}

/** Changing a profile would lose the parts that the caller does not see. */
export function demandWhole(show: Show, stored: Profile | undefined): void {
  if (stored && size(show(stored)) < size(stored))
    throw new Problem('forbidden', 'the profile has parts that you may not see; save yours under another name')
}

const size = (profile: Profile): number => JSON.stringify(profile).length
