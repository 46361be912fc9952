/**
 * Refuses an action that the caller may not do to the keyword at a path. Every statement checks the right to read
 * itself.
 */
import { because } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { type Action, allowsAt, rightsAt } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'

export function demandRight({ caller }: Context, action: Action, path: string): void {
  if (!allowsAt(caller.permissions, action, 'keyword', path)) throw notAllowed(action, path)
}

export const notAllowed = (action: Action, path: string) =>
  new Problem('forbidden', because('mayNotKeyword', { action, path }))

export function demandLocales({ caller }: Context, path: string, locales: readonly string[]): void {
  if (locales.length === 0) return
  const { locale } = rightsAt(caller.permissions, 'keyword', [path])
  const closed = locales.filter((name) => !locale(name).editable)
  if (closed.length > 0) throw new Problem('forbidden', because('namesReadOnly', { locales: closed.join(', ') }))
}
