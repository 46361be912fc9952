/** The briefings of a channel: reading them, and their pages in the form that is drawn. */
import type { Infer, Layout, StoredBriefing } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useUrlState } from '../../ui/url-state.ts'
import { channelsKey } from './channels.ts'

export type Briefing = Infer<typeof StoredBriefing>
export type LayoutMessage = Infer<typeof Layout>

/** All briefings of a channel, and the one in the chosen language and configuration. */
export function useBriefings(tid: string) {
  const { cm } = useClient()
  const [locale] = useContentLocale()
  const [{ briefing: asked }] = useUrlState()
  const query = useQuery({
    queryKey: [...channelsKey, 'briefings', tid],
    queryFn: async () => (await cm.listBriefings({ body: { tids: [tid] } })).briefings ?? [],
  })
  const all = query.data ?? []
  const configs = [...new Set(all.map(({ briefingModuleCfgTid = '' }) => briefingModuleCfgTid))]
  const config = asked !== undefined && configs.includes(asked) ? asked : (configs[0] ?? '')
  const fitting = all.filter(({ briefingModuleCfgTid = '' }) => briefingModuleCfgTid === config)
  const shown = fitting.find((one) => one.locale === locale) ?? fitting.find((one) => one.locale === undefined)
  return { query, configs, config, shown, hasOthers: all.length > 0 }
}

interface Measured {
  readonly attribute?: readonly { readonly identifier?: string; readonly value?: string }[]
}
export interface Sheet {
  readonly key: string
  readonly name: string
  readonly note: string
  readonly width: number
  readonly height: number
  readonly boxes: readonly SheetBox[]
}
export interface SheetBox {
  readonly key: string
  readonly name: string
  readonly type: string
  readonly layer: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Zero for a measure that is not a number. */
export function measure({ attribute = [] }: Measured, identifier: string): number {
  const value = Number(attribute.find((one) => one.identifier === identifier)?.value)
  return Number.isFinite(value) ? value : 0
}

export function toSheets({ layout = [] }: { readonly layout?: readonly LayoutMessage[] }): Sheet[] {
  return layout.map((page, index) => {
    const boxes = (page.boxes?.box ?? [])
      .toSorted((a, b) => measure(a, 'zpos') - measure(b, 'zpos'))
      .map((box, i) => ({
        key: `${box.id ?? ''} ${i}`,
        name: box.name ?? '',
        type: box.type ?? '',
        layer: box.layer ?? '',
        x: measure(box, 'xpos'),
        y: measure(box, 'ypos'),
        width: measure(box, 'width'),
        height: measure(box, 'height'),
      }))
    // a page without a size is as large as its boxes need
    const width = measure(page, 'width') || Math.max(0, ...boxes.map((box) => box.x + box.width))
    const height = measure(page, 'height') || Math.max(0, ...boxes.map((box) => box.y + box.height))
    return {
      key: `${page.id ?? ''} ${index}`,
      name: page.name ?? '',
      note: page.seitenbriefing ?? '',
      width,
      height,
      boxes,
    }
  })
}
