/** Related products in both directions: accessories, spare parts and others that this product has, and products that have it. */
import { ActionIcon, Anchor, Autocomplete, Button, Group, Table, Text, Title, Tooltip } from '@mantine/core'
import { IconLinkOff, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../../object/client.tsx'
import { type Linked, linkedOf } from '../../../object/links.ts'
import { PickOne, useNames } from '../../../object/picker.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { FormModal } from '../../../ui/form-modal.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import type { ProductMessage } from './product.ts'
import { texts } from './texts.ts'
import { useLinkChanges } from './use-links.ts'

/** Products that link to this one. */
function useIncoming(tid: string): readonly Linked[] {
  const { cm } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['used', tid],
    queryFn: async () => {
      const { objects: [found] = [] } = await cm.retrieveWhereUsed({ body: { dataType: 'product', tids: [tid] } })
      return found?.uses ?? []
    },
  })
  return (
    data
      // A link protects its target: so these are the links in which this product is the target.
      .filter((use) => use.kind === 'productToProduct' && use.keeps)
      .map((use) => ({ tid: use.tid ?? '', linkType: use.linkType ?? '' }))
  )
}

export function Related({ product, mayLink }: { readonly product: ProductMessage; readonly mayLink: boolean }) {
  const t = useTexts(texts)
  const { tid = '' } = product
  const links = useLinkChanges(tid)
  const [isAdding, setAdding] = useState(false)
  const outgoing = linkedOf(product, 'productToProduct', 'targetProductTid')
  const incoming = useIncoming(tid)
  const nameOf = useNames('product', [...outgoing, ...incoming].map((one) => one.tid)) // prettier-ignore
  const rows = [
    ...outgoing.map((one) => ({ ...one, ends: { sourceProductTid: tid, targetProductTid: one.tid }, isOwn: true })),
    ...incoming.map((one) => ({ ...one, ends: { sourceProductTid: one.tid, targetProductTid: tid }, isOwn: false })),
  ]
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
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noProducts')}
        </Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('product')}</Table.Th>
              <Table.Th scope="col">{t('relation')}</Table.Th>
              <Table.Th scope="col">{t('direction')}</Table.Th>
              {mayLink && <Table.Td />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((one) => {
              const name = nameOf(one.tid)
              return (
                <Table.Tr key={`${one.isOwn} ${one.tid} ${one.linkType}`}>
                  <Table.Td>
                    <Anchor
                      size="sm"
                      renderRoot={(props) => <Link to="/products/$tid" params={{ tid: one.tid }} {...props} />}
                    >
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{one.linkType || t('relatedPlain')}</Table.Td>
                  <Table.Td>{one.isOwn ? t('outgoing') : t('incoming')}</Table.Td>
                  {mayLink && (
                    <Table.Td ta="right">
                      <Tooltip label={t('unlink', { name })}>
                        <ActionIcon
                          size="sm"
                          variant="subtle"
                          color="gray"
                          aria-label={t('unlink', { name })}
                          onClick={() => void links.unrelate(one.ends, one.linkType, name)}
                        >
                          <IconLinkOff size={14} />
                        </ActionIcon>
                      </Tooltip>
                    </Table.Td>
                  )}
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      )}
      {isAdding && <Relate onRelate={links.relate} onClose={() => setAdding(false)} />}
    </section>
  )
}

interface RelateProps {
  readonly onRelate: (tid: string, type: string) => Promise<boolean>
  readonly onClose: () => void
}

function Relate({ onRelate, onClose }: RelateProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [product, setProduct] = useState<string>()
  const [type, setType] = useState(t('accessory'))
  const submit = async () => {
    if (product && (await onRelate(product, type.trim()))) onClose()
  }
  return (
    <FormModal title={t('relate')} onSubmit={submit} onClose={onClose}>
      <PickOne kind="product" label={t('product')} value={product} onChange={setProduct} required autoFocus />
      <Autocomplete
        label={t('relation')}
        data={[t('accessory'), t('sparePart'), t('upSell'), t('alternative'), t('bundle')]}
        value={type}
        onChange={setType}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit" disabled={!product}>
          {word('add')}
        </Button>
      </Group>
    </FormModal>
  )
}
