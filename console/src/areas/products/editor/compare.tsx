/** The values of two products side by side. */
import { plainText } from '@kontor/contract'
import { Checkbox, Modal, Stack, Table, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { inGroups, useAttributeGroups } from '../../../object/attribute-groups.ts'
import { useContentLocale } from '../../../object/locales.ts'
import { PickOne } from '../../../object/picker.tsx'
import type { Attribute } from '../../../object/values/attribute.ts'
import { displayTextOf } from '../../../object/values/draft.ts'
import { useUnitText } from '../../../object/values/reader-units.ts'
import { useTexts } from '../../../ui/language.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { type Item, toItem } from './product.ts'
import { texts } from './texts.ts'
import { useProduct } from './use-product.ts'
import classes from './editor.module.css'

interface CompareProps {
  readonly root: Item
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly onClose: () => void
}

export default function Compare({ root, attributes, onClose }: CompareProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [tid, setTid] = useState<string>()
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('compareTitle', { name: root.name })}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <Stack>
        <PickOne kind="product" label={t('compareWith')} value={tid} onChange={setTid} autoFocus />
        {tid !== undefined && <Values key={tid} root={root} tid={tid} attributes={attributes} />}
      </Stack>
    </Modal>
  )
}

function Values({ root, tid, attributes }: Omit<CompareProps, 'onClose'> & { readonly tid: string }) {
  const t = useTexts(texts)
  const [locale] = useContentLocale()
  const { data } = useProduct(tid)
  const [onlyDifferent, setOnlyDifferent] = useState(true)
  const groups = useAttributeGroups()
  const unitText = useUnitText()
  if (!data) return null
  const other = toItem(data)
  const compared = [...attributes.values()]
    .filter(({ dataType }) => dataType !== 'table')
    .map(({ key, label, units, dataType }) => {
      const [one, two] = [root, other].map((item) => unitText(displayTextOf(item.vals.get(key), locale), units))
      const shown = (text: string) => (dataType === 'richtext' ? plainText(text) : text) || t('nothingThere')
      return { key, label, one, two, shown }
    })
    .filter(({ one, two }) => (one || two) && (!onlyDifferent || one !== two))
  const { grouped, others } = inGroups(groups, compared)
  const sections = [...grouped.map(([{ label }, rows]) => [label, rows] as const), ['', others] as const]
  return (
    <>
      <Checkbox
        label={t('onlyDifferent')}
        checked={onlyDifferent}
        onChange={({ currentTarget }) => setOnlyDifferent(currentTarget.checked)}
      />
      {compared.length === 0 ? (
        <Text c="dimmed">{t('noDifference')}</Text>
      ) : (
        <Table className={classes.compare}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('value')}</Table.Th>
              <Table.Th scope="col">{root.name}</Table.Th>
              <Table.Th scope="col">{other.name}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sections.map(([title, rows]) => (
              <Fragment key={title}>
                {title && (
                  <Table.Tr>
                    <Table.Th colSpan={3} scope="rowgroup">
                      {title}
                    </Table.Th>
                  </Table.Tr>
                )}
                {rows.map(({ key, label, one = '', two = '', shown }) => (
                  <Table.Tr key={key}>
                    <Table.Th scope="row">{label}</Table.Th>
                    <Table.Td>{shown(one)}</Table.Td>
                    <Table.Td>{shown(two)}</Table.Td>
                  </Table.Tr>
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  )
}
