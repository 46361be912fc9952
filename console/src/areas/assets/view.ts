/** How files are shown, kept in the browser: as a wall with tiles of a size, or as a list. */
import { useLocalStorage } from '@mantine/hooks'

export interface View {
  readonly kind: 'wall' | 'list'
  /** Pixels. */
  readonly size: number
}
export const tileSizes = { min: 120, max: 360, step: 20 }
const defaultView: View = { kind: 'wall', size: 180 }

export function useView(): [View, (view: View) => void] {
  const [stored, setView] = useLocalStorage<Partial<View>>({
    key: 'kontor.assets.view',
    defaultValue: defaultView,
    getInitialValueInEffect: false,
  })
  const size = Math.min(tileSizes.max, Math.max(tileSizes.min, Number(stored?.size) || defaultView.size))
  return [{ kind: stored?.kind === 'list' ? 'list' : 'wall', size }, setView]
}
