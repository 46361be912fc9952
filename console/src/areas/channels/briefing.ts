/** A briefing prepared for drawing: pages with their size, boxes with position and size, lowest first. */
import type { Infer, PatchBriefing } from '@kontor/contract'

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
function measure({ attribute = [] }: Measured, identifier: string): number {
  const value = Number(attribute.find((one) => one.identifier === identifier)?.value)
  return Number.isFinite(value) ? value : 0
}

export function toSheets({ layout = [] }: Infer<typeof PatchBriefing>): Sheet[] {
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
