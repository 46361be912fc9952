/** A dialog that relates an item to a product, an article or a variation, in either direction. */
import { Button, Group, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../../object/client.tsx'
import { nameIn } from '../../../object/items.ts'
import { useContentLocale } from '../../../object/locales.ts'
import type { RelationTypeMessage } from '../../../object/relation-types.ts'
import { PickOne } from '../../../object/picker.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { allOf, type Item, toItem } from './product.ts'
import { type End, endsOf, itemTypes } from './relation-ends.ts'
import { texts } from './texts.ts'
import type { SentRelation } from './use-links.ts'

interface RelateProps {
  readonly item: Item
  readonly types: readonly RelationTypeMessage[]
  /** The number of relations that the item has. */
  readonly count: number
  readonly onRelate: (relation: SentRelation) => Promise<boolean>
  readonly onClose: () => void
}

/** A type in one direction. */
interface Choice {
  readonly value: string
  readonly label: string
  readonly type: RelationTypeMessage
  readonly isOwn: boolean
}

/** The types that allow the item at one of their ends. */
function choicesOf(types: readonly RelationTypeMessage[], item: Item, locale: string): Choice[] {
  const own = itemTypes[item.level]
  return types.flatMap((type) => {
    const { tid = '', label, inverse, sources = [], targets = [] } = type
    const name = nameIn(label, locale) || tid
    return [
      ...(sources.includes(own) ? [{ value: tid, label: name, type, isOwn: true }] : []),
      ...(targets.includes(own)
        ? [{ value: `${tid} of`, label: nameIn(inverse, locale) || `← ${name}`, type, isOwn: false }]
        : []),
    ]
  })
}

export function Relate({ item, types, count, onRelate, onClose }: RelateProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [locale] = useContentLocale()
  const choices = choicesOf(types, item, locale)
  const [chosen, setChosen] = useState<string>()
  const [product, setProduct] = useState<string>()
  const [part, setPart] = useState<string>()
  const [quantity, setQuantity] = useState('')
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0]
  const allowed = (choice?.isOwn ? choice.type.targets : choice?.type.sources) ?? []
  const parts = useParts(product).filter(({ level }) => allowed.includes(itemTypes[level]))
  const [first] = parts
  const other = parts.find((one) => keyOf(one) === part) ?? first
  const submit = async () => {
    if (!choice || !other) return
    const [own, end]: [End, End] = [{ tid: item.tid, itemType: itemTypes[item.level] }, { tid: other.tid, itemType: itemTypes[other.level] }] // prettier-ignore
    const sent = {
      ends: choice.isOwn ? endsOf(own, end) : endsOf(end, own),
      type: choice.type.tid ?? '',
      ...(choice.isOwn && { pos: count }),
      ...(choice.type.quantity && Number(quantity) > 0 && { quantity }),
    }
    if (await onRelate(sent)) onClose()
  }
  return (
    <FormModal title={t('relate')} onSubmit={submit} onClose={onClose}>
      <Select
        label={t('relation')}
        data={choices.map(({ value, label }) => ({ value, label }))}
        value={choice?.value ?? null}
        allowDeselect={false}
        onChange={(value) => setChosen(value ?? undefined)}
      />
      <PickOne kind="product" label={t('product')} value={product} onChange={setProduct} required autoFocus />
      {parts.length > 1 && (
        <Select
          label={t('relatedPart')}
          data={parts.map((one) => ({ value: keyOf(one), label: one.level === 'p' ? t('relatedWhole') : one.name }))}
          value={other ? keyOf(other) : null}
          allowDeselect={false}
          onChange={(value) => setPart(value ?? undefined)}
        />
      )}
      {choice?.type.quantity && (
        <NumberInput
          label={t('quantity')}
          value={quantity}
          min={0}
          decimalScale={6}
          onChange={(value) => setQuantity(String(value))}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit" disabled={!other || !choice}>
          {word('add')}
        </Button>
      </Group>
    </FormModal>
  )
}

const keyOf = ({ level, tid }: Item) => `${level}:${tid}`

/** The product with its articles and variations. */
function useParts(tid: string | undefined): readonly Item[] {
  const { pim } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['relations', 'parts', tid],
    enabled: tid !== undefined,
    queryFn: async () => (await pim.products.retrieve({ tids: [tid!] })).flatMap((product) => allOf(toItem(product))),
  })
  return data
}
