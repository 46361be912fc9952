/** Values that somebody else has changed meanwhile: a choice between theirs and mine for each, before anything is saved. */
import { Button, Group, Radio, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useLocaleName } from '../locales.ts'
import type { Attribute } from './attribute.ts'
import { collisionTexts } from './collision-texts.ts'
import type { Texts } from './draft.ts'
import type { Collision } from './edits.ts'

interface CollisionsProps {
  readonly collisions: readonly Collision[]
  readonly attributes: ReadonlyMap<string, Attribute>
  /** The name of the item of an edit, where the page has several. */
  readonly itemName?: (item: string) => string | undefined
  readonly onSettle: (mine: ReadonlySet<Collision>) => unknown
  readonly onClose: () => void
}

export function Collisions({ collisions, attributes, itemName, onSettle, onClose }: CollisionsProps) {
  const t = useTexts(collisionTexts)
  const word = useTexts(commonTexts)
  const localeName = useLocaleName()
  const [choices, setChoices] = useState<ReadonlyMap<Collision, boolean>>(
    new Map(collisions.flatMap((one) => (one.theirs ? [] : [[one, false] as const]))),
  )
  const choose = (chosen: readonly Collision[], isMine: boolean) =>
    setChoices(new Map([...choices, ...chosen.map((one) => [one, isMine && one.theirs !== undefined] as const)]))
  const mine = new Set(collisions.filter((one) => choices.get(one)))
  return (
    <FormModal
      title={t('title', { count: collisions.length })}
      size="xl"
      onSubmit={() => onSettle(mine)}
      onClose={onClose}
    >
      <Text size="sm">{t('hint')}</Text>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('value')}</Table.Th>
            <Table.Th>{t('before')}</Table.Th>
            <Table.Th>{t('theirs')}</Table.Th>
            <Table.Th>{t('mine')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {collisions.map((one) => (
            <CollisionRow
              key={`${one.edit.item} ${one.edit.key} ${one.edit.locale}`}
              collision={one}
              name={nameOf(one, attributes, localeName, itemName)}
              attribute={attributeOf(one, attributes)}
              choice={choices.get(one)}
              onChoose={(isMine) => choose([one], isMine)}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Group>
        <Button variant="default" onClick={() => choose(collisions, false)}>
          {t('allTheirs')}
        </Button>
        <Button variant="default" onClick={() => choose(collisions, true)}>
          {t('allMine')}
        </Button>
        <Group ml="auto">
          <Button variant="default" onClick={onClose}>
            {word('cancel')}
          </Button>
          <Button type="submit" disabled={choices.size < collisions.length}>
            {word('save')}
          </Button>
        </Group>
      </Group>
    </FormModal>
  )
}

interface CollisionRowProps {
  readonly collision: Collision
  readonly name: string
  readonly attribute: Attribute | undefined
  /** true: mine. */
  readonly choice: boolean | undefined
  readonly onChoose: (isMine: boolean) => void
}

function CollisionRow({ collision: { edit, theirs }, name, attribute, choice, onChoose }: CollisionRowProps) {
  const t = useTexts(collisionTexts)
  const show = (shown: Texts) =>
    shown
      .filter(Boolean)
      .map((text) => attribute?.options?.find(({ value }) => value === text)?.label ?? text)
      .join(', ') || t('empty')
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td c="dimmed">{show(edit.before)}</Table.Td>
      <Table.Td>
        <Radio
          label={theirs ? show(theirs) : t('deleted')}
          aria-label={`${name}: ${t('theirs')}`}
          checked={choice === false}
          onChange={() => onChoose(false)}
        />
      </Table.Td>
      <Table.Td>
        <Radio
          label={show(edit.texts)}
          aria-label={`${name}: ${t('mine')}`}
          checked={choice === true}
          disabled={!theirs}
          onChange={() => onChoose(true)}
        />
      </Table.Td>
    </Table.Tr>
  )
}

/** A column of a table has the key `table/column`. */
const attributeOf = ({ edit }: Collision, attributes: ReadonlyMap<string, Attribute>) =>
  attributes.get(edit.key.split('/').at(-1)!)

function nameOf(
  collision: Collision,
  attributes: ReadonlyMap<string, Attribute>,
  localeName: (locale: string) => string,
  itemName: CollisionsProps['itemName'],
): string {
  const { item, key, locale } = collision.edit
  const label = attributeOf(collision, attributes)?.label ?? key
  const value = locale ? `${label}, ${localeName(locale)}` : label
  const name = itemName?.(item)
  return name === undefined ? value : `${name}: ${value}`
}
