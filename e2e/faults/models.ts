/** The answers of a correct system: a register, a lock, a tree. */
import type { Model } from './linear.ts'

export type RegisterInput =
  | { readonly op: 'write'; readonly value: string }
  | { readonly op: 'swap'; readonly expected: string; readonly value: string }
  | { readonly op: 'remove' }
  | { readonly op: 'read' }
/** `value` is what a read has found; undefined if there is nothing. */
export type RegisterOutput = { readonly ok: boolean; readonly value?: string | undefined }

/** One object with one value: '' if it is not there. */
export const register: Model<string, RegisterInput, RegisterOutput> = {
  initial: '',
  key: (state) => state,
  /** Without lost reads; and values that nobody has read or expected are all the same. */
  simplify(operations) {
    const seen = new Set(
      operations.flatMap(({ input, output }) => (input.op === 'swap' ? input.expected : output?.value)),
    )
    return operations.flatMap((operation) => {
      const { input } = operation
      if (input.op === 'read') return operation.output === undefined ? [] : operation
      if (!('value' in input) || seen.has(input.value)) return operation
      return { ...operation, input: { ...input, value: '*' } }
    })
  },
  step(state, input, output) {
    const ok = output?.ok ?? true
    switch (input.op) {
      case 'write':
        return ok ? input.value : state
      case 'swap':
        if (ok) return state === input.expected ? input.value : undefined
        return state === input.expected ? undefined : state
      case 'remove':
        if (ok) return state === '' ? undefined : ''
        return state === '' ? state : undefined
      case 'read':
        return output === undefined || (output.value ?? '') === state ? state : undefined
    }
  },
}

export type LockInput = { readonly op: 'checkout' | 'checkin'; readonly user: string } | { readonly op: 'read' }
/** `user` is the holder that a read has found; '' if there is none. */
export type LockOutput = { readonly ok: boolean; readonly user?: string }
/** A lock that one user at a time can hold; taking it twice is no error. */
export const lock: Model<string, LockInput, LockOutput> = {
  initial: '',
  key: (state) => state,
  step(state, input, output) {
    if (input.op === 'read') return output === undefined || output.user === state ? state : undefined
    const { op, user } = input
    const isAllowed = op === 'checkout' ? state === '' || state === user : state === user
    if (output && output.ok !== isAllowed) return undefined
    if (!isAllowed) return state
    return op === 'checkout' ? user : ''
  },
}

export type TreeInput = { readonly op: 'move'; readonly node: string; readonly to: string } | { readonly op: 'read' }
export type TreeOutput = { readonly ok: boolean; readonly parents?: Readonly<Record<string, string>> }
export type Parents = Readonly<Record<string, string>>

/** Parents by node; '' is the root. All operations are on the whole tree, so this is strict serializability. */
export const treeOf = (initial: Parents): Model<Parents, TreeInput, TreeOutput> => ({
  initial,
  key: keyOf,
  step(state, input, output) {
    if (input.op === 'read') {
      return output?.parents && keyOf(output.parents) !== keyOf(state) ? undefined : state
    }
    const isCycle = pathOf(state, input.to).includes(input.node)
    if (output?.ok === false) return isCycle ? state : undefined
    return isCycle ? (output ? undefined : state) : { ...state, [input.node]: input.to }
  },
})
const keyOf = (parents: Parents) =>
  Object.keys(parents)
    .toSorted()
    .map((node) => `${node}<${parents[node]}`)
    .join()

/** The node and those above it. */
function pathOf(parents: Parents, node: string): string[] {
  const path: string[] = []
  for (let at = node; at !== '' && !path.includes(at); at = parents[at] ?? '') path.push(at)
  return path
}
