/**
 * The permissions of a role as people edit them: blocks of permissions with the same limits, each a table of kinds × actions.
 * The interface has one grant per kind; grants with the same limits are one block.
 */
import type { Infer, RoleGrant } from '@kontor/contract'

export type Grant = Infer<typeof RoleGrant>
type Limits = Omit<Grant, 'kind' | 'actions'>

export interface Block {
  readonly limits: Limits
  /** The allowed actions by kind; `*` is every kind, and as an action every action. */
  readonly allowed: Readonly<Record<string, readonly string[]>>
}

export const noLimits: Block = { limits: {}, allowed: {} }

/** Keys in a fixed order, because the server may send them in any. */
const keyOf = (limits: Limits) =>
  JSON.stringify(
    [
      limits.scopes,
      limits.visibleAttributes,
      limits.editableAttributes,
      limits.visibleLocales,
      limits.editableLocales,
    ].map((part) => Object.entries(part ?? {}).toSorted(([a], [b]) => a.localeCompare(b))),
  )

export function toBlocks(grants: readonly Grant[]): Block[] {
  const blocks = new Map<string, Block>()
  for (const { kind, actions, ...limits } of grants) {
    const key = keyOf(limits)
    const { allowed } = blocks.get(key) ?? noLimits
    blocks.set(key, { limits, allowed: { ...allowed, [kind]: [...new Set([...(allowed[kind] ?? []), ...actions])] } })
  }
  return blocks.size > 0 ? [...blocks.values()] : [noLimits]
}

export const toGrants = (blocks: readonly Block[]): Grant[] =>
  blocks.flatMap(({ limits, allowed }) =>
    Object.entries(allowed).flatMap(([kind, actions]) =>
      actions.length > 0 ? [{ kind, actions: [...actions], ...limits }] : [],
    ),
  )

/** The state of a cell: `all` if the row or column of everything includes it. */
export function stateOf({ allowed }: Block, kind: string, action: string): 'all' | 'own' | 'none' {
  const has = (of: string, what: string) => allowed[of]?.includes(what) ?? false
  const included = [
    kind !== '*' && has('*', action),
    action !== '*' && has(kind, '*'),
    kind !== '*' && has('*', '*'),
  ].includes(true)
  return included ? 'all' : has(kind, action) ? 'own' : 'none'
}

/** Nothing can be changed that cannot be read, so a first action brings reading along, and without reading nothing is left. */
export function toggled(block: Block, kind: string, action: string): Block {
  const before = block.allowed[kind] ?? []
  const isOn = before.includes(action)
  const readsAnyway = action === '*' || stateOf(block, kind, 'read') === 'all'
  const next = isOn
    ? before.filter((one) => one !== action && action !== 'read')
    : action === '*'
      ? ['*']
      : [...new Set([...(readsAnyway ? [] : ['read']), ...before, action])]
  const { [kind]: _, ...others } = block.allowed
  return { ...block, allowed: next.length > 0 ? { ...others, [kind]: next } : others }
}
