/**
 * Viewing the console with the rights of another user, or of a role that is being tried. It is for administrators, reads
 * only, and applies to one tab: links to it carry `viewAs` and `viewName`, which move into the session storage of the tab.
 */
import type { Client } from '@kontor/sdk'

interface Viewed {
  /** The value of the header Kontor-View-As. */
  readonly as: string
  /** How the notice on every page names it. */
  readonly name: string
}
const storageKey = 'kontor.viewAs'

/** The user or role whose rights apply in this tab; undefined for the user's own. */
export const viewed = (): Viewed | undefined => JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined

export function viewHeaders(): Record<string, string> {
  takeFromAddress()
  const { as } = viewed() ?? {}
  return as === undefined ? {} : { 'kontor-view-as': encodeURIComponent(as) }
}

function takeFromAddress(): void {
  const url = new URL(location.href)
  const as = url.searchParams.get('viewAs')
  if (as === null) return
  sessionStorage.setItem(storageKey, JSON.stringify({ as, name: url.searchParams.get('viewName') ?? as }))
  url.searchParams.delete('viewAs')
  url.searchParams.delete('viewName')
  history.replaceState(null, '', url)
}

/** Ends a view that is no longer known, such as a trial whose hour is over. Returns whether the view applies. */
export async function startViewing({ identity }: Client): Promise<boolean> {
  if (!viewed()) return false
  try {
    await identity.me()
    return true
  } catch {
    sessionStorage.removeItem(storageKey)
    return false
  }
}

export function stopViewing(): void {
  sessionStorage.removeItem(storageKey)
  location.assign('/')
}
