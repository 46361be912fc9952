/**
 * What a page shows, kept in its address: filters, selection, open panels. So every view can be linked to, reloaded and
 * gone back to. All values are texts; what is empty is left out.
 */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type PlaceFields = Readonly<Record<string, string | undefined>>

/** The fields of the address, and how they are changed; a change without `remember` leaves no step to go back to. */
export function usePlace(): [PlaceFields, (change: PlaceFields, remember?: boolean) => void] {
  const fields = useSearch({ strict: false }) as PlaceFields
  const navigate = useNavigate()
  const change = useCallback(
    (changed: PlaceFields, remember = false) =>
      void navigate({
        to: '.',
        search: (before: PlaceFields) => withoutEmpty({ ...before, ...changed }),
        replace: !remember,
      } as never),
    [navigate],
  )
  return [fields, change]
}

/** A part of the path: `/products/$tid`. */
export const usePathPart = (name: string) => (useParams({ strict: false }) as Record<string, string | undefined>)[name]

const withoutEmpty = (fields: PlaceFields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))
