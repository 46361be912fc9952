/**
 * The subtrees and names that a permission is limited to. A tree that is not part of the message is open as a whole; a tree with an
 * empty list is closed, so removing the last path never opens the tree.
 */
import type { Infer, RoleGrant } from '@kontor/contract'

type Grant = Infer<typeof RoleGrant>
export const trees = ['node', 'dir', 'channel', 'keyword'] as const
type Tree = (typeof trees)[number]

/** `paths` is undefined to remove the limit. */
export function withScope(grant: Grant, tree: Tree, paths: string[] | undefined): Grant {
  const { scopes: before = {}, ...rest } = grant
  const { [tree]: _, ...others } = before
  const scopes = paths ? { ...others, [tree]: paths } : others
  return Object.keys(scopes).length > 0 ? { ...rest, scopes } : rest
}

export type RuleName = 'visibleAttributes' | 'editableAttributes' | 'visibleLocales' | 'editableLocales'

/** `rule` is undefined to remove the limit. */
export function withRule(grant: Grant, name: RuleName, rule: Grant[RuleName]): Grant {
  const { [name]: _, ...rest } = grant
  return rule ? { ...rest, [name]: rule } : rest
}
