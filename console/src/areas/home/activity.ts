/** Hits of a search as changes by people. */
import type { Infer, SearchItem } from '@kontor/contract'

const kinds = { product: 'product', asset: 'asset', channel: 'channel', project: 'channel' } as const

export interface Step {
  readonly user: string
  readonly kind: 'product' | 'asset' | 'channel'
  readonly isNew: boolean
  readonly tid: string
  readonly name: string
  readonly at: string
}

/** An object that was created and not changed within a second after that is new. */
const isFresh = (created: string, changed: string) => Date.parse(changed) - Date.parse(created) < 1000

export function toStep({ attributes = [] }: Infer<typeof SearchItem>): Step[] {
  const text = (name: string) => {
    const value = attributes.find((one) => one.name === name)?.value
    return typeof value === 'string' ? value : ''
  }
  const kind = kinds[text('itemType') as keyof typeof kinds]
  const at = text('modificationDate')
  if (!kind || !at) return [] // articles and variations change with their product
  const tid = text('tid')
  const isNew = isFresh(text('creationDate'), at)
  return [{ user: text('modificationUser'), kind, isNew, tid, name: text('name') || tid, at }]
}

/** Consecutive changes of the same kind by the same person. */
export function grouped(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = []
  for (const step of steps) {
    const last = groups.at(-1)?.[0]
    if (last && last.user === step.user && last.kind === step.kind && last.isNew === step.isNew)
      groups.at(-1)!.push(step)
    else groups.push([step])
  }
  return groups
}
