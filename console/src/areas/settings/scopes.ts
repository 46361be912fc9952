/**
 * The subtrees and names that a permission is limited to. A tree that is not part of the message is open as a whole; a tree with an
 * empty list is closed, so removing the last path never opens the tree.
 */
import type { Infer, RoleGrant } from '@kontor/contract'

type Limits = Omit<Infer<typeof RoleGrant>, 'kind' | 'actions'>
export const trees = ['node', 'dir', 'channel', 'keyword'] as const
type Tree = (typeof trees)[number]

/** `paths` is undefined to remove the limit. */
export function withScope<L extends Limits>(limits: L, tree: Tree, paths: string[] | undefined): L {
  const { scopes: before = {}, ...rest } = limits
  const { [tree]: _, ...others } = before
  const scopes = paths ? { ...others, [tree]: paths } : others
  return (Object.keys(scopes).length > 0 ? { ...rest, scopes } : rest) as L
}

export type RuleName = 'visibleAttributes' | 'editableAttributes' | 'visibleLocales' | 'editableLocales'

/** `rule` is undefined to remove the limit. */
export function withRule<L extends Limits>(limits: L, name: RuleName, rule: Limits[RuleName]): L {
  const { [name]: _, ...rest } = limits
  return (rule ? { ...rest, [name]: rule } : rest) as L
}
