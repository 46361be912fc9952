/** The subtrees that a permission is limited to. A tree without paths is not part of the message: it is open as a whole. */
import type { Infer, RoleGrant } from '@kontor/contract'

type Grant = Infer<typeof RoleGrant>
export const trees = ['node', 'dir', 'channel', 'keyword'] as const
type Tree = (typeof trees)[number]

export function withScope(grant: Grant, tree: Tree, paths: string[]): Grant {
  const { scopes: before = {}, ...rest } = grant
  const { [tree]: _, ...others } = before
  const scopes = paths.length > 0 ? { ...others, [tree]: paths } : others
  return Object.keys(scopes).length > 0 ? { ...rest, scopes } : rest
}
