/** The keys of the open items of a tree. */
import { useCallback, useState } from 'react'

export type ToggleKey = (key: string, isOpen: boolean) => void

export function useOpenKeys(initial: () => Iterable<string> = () => []): [ReadonlySet<string>, ToggleKey] {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(initial()))
  const toggle = useCallback<ToggleKey>(
    (key, isOpen) =>
      setOpen((before) => {
        const next = new Set(before)
        if (isOpen) next.add(key)
        else next.delete(key)
        return next
      }),
    [],
  )
  return [open, toggle]
}
