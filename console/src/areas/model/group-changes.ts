/** Changes of groups of attributes. Each one is a single message, so that an order holds as a whole. */
import type { Infer, Name } from '@kontor/contract'
import { type AttributeGroup, type GroupMessage } from '../../object/attribute-groups.ts'
import { trimmedName } from '../../object/items.ts'
import { accepted } from '../../object/records.ts'
import { useModelChange } from '../../object/model-change.ts'

export interface Moves {
  /** Puts an attribute at a place of a group; without a group, takes it out of its own. */
  place(key: string, group: string | undefined, index: number): void
  /** Puts a group at a place. */
  order(tid: string, index: number): void
  /** Gives the focus back to a handle after its element has moved. */
  focusAgain(handle: string): void
}

export function useGroupChanges(groups: readonly AttributeGroup[]) {
  const { pim, run } = useModelChange()
  const calls = pim['attribute-groups']
  const persist = (messages: GroupMessage[]) => run(() => accepted(calls.persist(messages)))
  const withMembers = (tid: string, members: readonly string[]): GroupMessage => ({
    tid,
    references: { itm: members.map((value) => ({ value })) },
  })
  const moves: Omit<Moves, 'focusAgain'> = {
    place(key, to, index) {
      const from = groups.find(({ members }) => members.includes(key))
      const target = groups.find(({ tid }) => tid === to)
      if (target) {
        if (index < 0 || index > target.members.length) return
        void persist([withMembers(target.tid, moved(target.members, key, index))])
      } else if (from) {
        void persist([withMembers(from.tid, from.members.filter((one) => one !== key))]) // prettier-ignore
      }
    },
    order(tid, index) {
      if (index < 0 || index >= groups.length) return
      const order = moved(
        groups.map((group) => group.tid),
        tid,
        index,
      )
      void persist(order.map((one, pos) => ({ tid: one, pos })))
    },
  }
  return {
    moves,
    save: (tid: string, name: Infer<typeof Name>) => persist([{ tid, name: trimmedName(name) }]),
    remove: ({ tid }: AttributeGroup) => run(() => accepted(calls.perform([{ type: 'delete', tid }]))),
  }
}

/** The list with a member at an index, whether it was in the list or not. */
export function moved(list: readonly string[], member: string, index: number): string[] {
  return list.filter((one) => one !== member).toSpliced(index, 0, member)
}
