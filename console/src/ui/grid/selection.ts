/**
 * The selected rows by key: either these keys, or all rows except these keys. So a selection also covers rows on pages that
 * are not loaded.
 */
export interface Selection {
  readonly all: boolean
  readonly keys: ReadonlySet<string>
}

export const noSelection: Selection = { all: false, keys: new Set() }
export const everything: Selection = { all: true, keys: new Set() }

export const isChosen = ({ all, keys }: Selection, key: string) => keys.has(key) !== all
export const chosenCount = ({ all, keys }: Selection, total: number) => (all ? total - keys.size : keys.size)

export function choose({ all, keys }: Selection, changed: readonly string[], chosen: boolean): Selection {
  const next = new Set(keys)
  for (const key of changed) {
    if (chosen === all) next.delete(key)
    else next.add(key)
  }
  return { all, keys: next }
}
