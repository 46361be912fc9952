/**
 * Related products, articles and variations in both directions: the accessories and spare parts that the item has, and the
 * items that it is an accessory or a spare part of.
 */
import { ActionIcon, Anchor, Button, Group, NumberInput, Table, Text, Title, Tooltip } from '@mantine/core'
import type { Infer, Relation } from '@kontor/contract'
import { IconArrowDown, IconArrowUp, IconLinkOff, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../../object/client.tsx'
import { nameIn } from '../../../object/items.ts'
import { useContentLocale } from '../../../object/locales.ts'
import { useRelationTypes } from '../../../object/relation-types.ts'
import { useTexts } from '../../../ui/language.tsx'
import type { Item } from './product.ts'
import { Relate } from './relate.tsx'
import { endsOf, itemTypes } from './relation-ends.ts'
import { texts } from './texts.ts'
import { type SentRelation, useLinkChanges } from './use-links.ts'

type RelationMessage = Infer<typeof Relation>

const toSent = ({ own, other, direction, type = '', pos, quantity }: RelationMessage): SentRelation => ({
  ends: direction === 'outgoing' ? endsOf(own, other) : endsOf(other, own),
  type,
  ...(pos !== undefined && { pos: Number(pos) }),
  quantity,
})

export function Related({ item, rootTid, mayLink }: { item: Item; rootTid: string; mayLink: boolean }) {
  const t = useTexts(texts)
  const { pim } = useClient()
  const [locale] = useContentLocale()
  const links = useLinkChanges(rootTid)
  const types = useRelationTypes()
  const [isAdding, setAdding] = useState(false)
  const { data: all = [] } = useQuery({
    queryKey: ['relations', rootTid],
    queryFn: async () => (await pim.retrieveRelations({ body: { tids: [rootTid] } })).relations ?? [],
  })
  const relations = all.filter(({ own }) => own.tid === item.tid && own.itemType === itemTypes[item.level])
  const typeOf = (one: RelationMessage) => types.find(({ tid }) => tid === one.type)
  const labelOf = (one: RelationMessage) => {
    const type = typeOf(one)
    const plain = one.type ?? t('relatedPlain')
    if (one.direction === 'outgoing') return nameIn(type?.label, locale) || plain
    return nameIn(type?.inverse, locale) || t('relatedOf', { type: plain })
  }
  const alike = (one: RelationMessage) =>
    relations.filter(({ type, direction }) => type === one.type && direction === one.direction)
  const move = (one: RelationMessage, by: number) => {
    const list = alike(one)
    const at = list.indexOf(one)
    const next = list.toSpliced(at, 1).toSpliced(at + by, 0, one)
    return links.relate(...next.map((each, pos) => ({ ...toSent(each), pos })))
  }
  return (
    <section aria-label={t('products')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('products')}</Title>
        {mayLink && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('relate')}
          </Button>
        )}
      </Group>
      {relations.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noProducts')}
        </Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('product')}</Table.Th>
              <Table.Th scope="col">{t('relation')}</Table.Th>
              <Table.Th scope="col">{t('quantity')}</Table.Th>
              {mayLink && <Table.Td />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {relations.map((one) => (
              <RelationRow
                key={`${one.direction} ${one.type} ${one.other.id}`}
                relation={one}
                label={labelOf(one)}
                hasQuantity={typeOf(one)?.quantity ?? false}
                mayLink={mayLink}
                place={alike(one).indexOf(one)}
                count={alike(one).length}
                onMove={(by) => void move(one, by)}
                onQuantity={(quantity) => void links.relate({ ...toSent(one), quantity })}
                onRemove={(name) => void links.unrelate(toSent(one), name)}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {isAdding && (
        <Relate
          item={item}
          types={types}
          count={relations.length}
          onRelate={links.relate}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

interface RowProps {
  readonly relation: RelationMessage
  readonly label: string
  readonly hasQuantity: boolean
  readonly mayLink: boolean
  /** Its place among the relations of the same type and direction, and their number. */
  readonly place: number
  readonly count: number
  readonly onMove: (by: number) => void
  readonly onQuantity: (quantity: string) => void
  readonly onRemove: (name: string) => void
}

function RelationRow({ relation, label, hasQuantity, mayLink, place, count, onMove, onQuantity, onRemove }: RowProps) {
  const t = useTexts(texts)
  const { other, quantity = '', direction } = relation
  const name = other.name ?? other.tid
  const isOwn = direction === 'outgoing'
  const [amount, setAmount] = useState(quantity)
  const actions = [
    ...(isOwn && place > 0 ? [{ label: t('moveUp', { name }), Icon: IconArrowUp, run: () => onMove(-1) }] : []),
    ...(isOwn && place < count - 1
      ? [{ label: t('moveDown', { name }), Icon: IconArrowDown, run: () => onMove(1) }]
      : []),
    { label: t('unlink', { name }), Icon: IconLinkOff, run: () => onRemove(name) },
  ]
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/products/$tid" params={{ tid: other.productTid ?? other.tid }} {...props} />
          )}
        >
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td>{label}</Table.Td>
      <Table.Td>
        {isOwn && hasQuantity && mayLink ? (
          <NumberInput
            size="xs"
            maw={100}
            aria-label={t('quantityOf', { name })}
            value={amount}
            min={0}
            decimalScale={6}
            onChange={(value) => setAmount(String(value))}
            onBlur={() => amount !== quantity && Number(amount) > 0 && onQuantity(amount)}
          />
        ) : (
          quantity
        )}
      </Table.Td>
      {mayLink && (
        <Table.Td ta="right">
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {actions.map(({ label: action, Icon, run }) => (
              <Tooltip key={action} label={action}>
                <ActionIcon size="sm" variant="subtle" color="gray" aria-label={action} onClick={run}>
                  <Icon size={14} />
                </ActionIcon>
              </Tooltip>
            ))}
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  )
}
