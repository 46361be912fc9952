/**
 * The state of a page in its URL: filters, selection, open panels. Every view can be linked to and reloaded, and Back
 * works. All values are strings; empty ones are left out of the URL.
 */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The fields of all pages. They are one type, so that the compiler checks links from one area into another. */
type FieldName =
  | 'action'
  | 'actor'
  | 'at'
  | 'briefing'
  | 'build'
  | 'builder'
  | 'by'
  | 'change'
  | 'channel'
  | 'cols'
  | 'columns'
  | 'create'
  | 'definition'
  | 'dir'
  | 'f'
  | 'from'
  | 'glossary'
  | 'index'
  | 'item'
  | 'join'
  | 'keyword'
  | 'kinds'
  | 'loc'
  | 'message'
  | 'missing'
  | 'node'
  | 'object'
  | 'open'
  | 'order'
  | 'outcome'
  | 'part'
  | 'process'
  | 'q'
  | 'refreshes'
  | 'scope'
  | 'show'
  | 'side'
  | 'sort'
  | 'state'
  | 'tab'
  | 'to'
  | 'transfer'
  | 'type'
  | 'feed'
  | 'rule'
  | 'collection'
  | 'share'
  | 'unread'
  | 'with'
  | `f.${string}`
export type UrlState = { readonly [name in FieldName]?: string | undefined }

/**
 * The state and a function that changes some of its fields. A change replaces the entry in the browser's history,
 * unless `push` is true.
 */
export function useUrlState(): [UrlState, (changed: UrlState, push?: boolean) => void] {
  const state: UrlState = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (changed: UrlState, push = false) =>
      void navigate({ to: '.', search: (before: UrlState) => withoutEmpty({ ...before, ...changed }), replace: !push }),
    [navigate],
  )
  return [state, change]
}

const withoutEmpty = (state: UrlState): UrlState =>
  Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== ''))

/** A variable part of the path, such as `tid` of `/products/$tid`. */
export const usePathParam = (name: 'tid' | 'id'): string | undefined => useParams({ strict: false })[name]
