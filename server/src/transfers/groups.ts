/** Groups of attributes in exports: they order the columns, and a column `group:TID` stands for the attributes of a group. */
import { because } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { TransferNeeds } from './needs.ts'

/** By tid, in their order: the attributes that the caller may see, in their order. */
type Groups = ReadonlyMap<string, readonly string[]>

interface Message {
  readonly tid?: string
  readonly references?: { readonly itm?: readonly { readonly value?: string }[] }
}

export async function readGroups(ctx: Context, retrieve: TransferNeeds['retrieveGroups']): Promise<Groups> {
  const groups = new Map<string, string[]>()
  const { attrGroups = [] } = await retrieve(ctx)
  for await (const { tid = '', references } of attrGroups as AsyncIterable<Message> | Message[])
    groups.set(tid, (references?.itm ?? []).flatMap(({ value }) => value ?? [])) // prettier-ignore
  return groups
}

/** Definitions by group and by place in it; those without a group are last. */
export function inGroups<D extends { readonly tid: string }>(definitions: readonly D[], groups: Groups): D[] {
  const order = new Map([...groups.values()].flat().map((tid, i) => [tid, i]))
  const placeOf = ({ tid }: D) => order.get(tid) ?? order.size
  return definitions.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const heading = /^((?:product|article|variant):)?group:(.+)$/

/** Whether the heading stands for the attributes of a group. */
export const namesGroup = (text: string): boolean => heading.test(text.trim())

/** The headings, with the attributes of groups in their place, apart from those that have a column of their own. */
export function withMembers(
  headings: readonly string[],
  groups: Groups,
  definitions: ReadonlyMap<string, { readonly columns: readonly string[] }>,
): string[] {
  const named = new Set(headings)
  return headings.flatMap((one) => {
    const [, level = '', group] = heading.exec(one.trim()) ?? []
    if (group === undefined) return [one]
    const members = groups.get(group)
    if (!members) throw new Problem('invalid', because('columnGroup', { column: one, group }))
    const keys = members.flatMap((tid) => {
      const columns = definitions.get(tid)?.columns ?? []
      return columns.length > 0 ? columns.map((column) => `${tid}/${column}`) : [tid]
    })
    return keys.map((key) => level + key).filter((key) => !named.has(key))
  })
}
