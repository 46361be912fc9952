/** The metadata of an asset: attribute values to edit, in groups, and the metadata embedded in the file. */
import { Alert, Button, Fieldset, Group, Stack, Title } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient, useEditRefusal } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { useContentLocale } from '../../../object/locales.ts'
import { type Attribute, toAttribute } from '../../../object/values/attribute.ts'
import { Collisions } from '../../../object/values/collisions.tsx'
import { displayTextOf, textsOf } from '../../../object/values/draft.ts'
import { ValueField } from '../../../object/values/value-field.tsx'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { type AssetMessage, containerOf } from '../assets.ts'
import { inGroups } from '../attribute-groups.ts'
import { texts } from '../detail-texts.ts'
import { Facts } from './facts.tsx'
import { useMetadataDraft } from './metadata-draft.ts'
import { WrittenMetadata } from './written-metadata.tsx'
import classes from './tabs.module.css'

/** Attributes that the server fills from embedded metadata; they are read-only. */
const isEmbedded = (attr: string) => /^(exif|iptc|xmp|icc)[._:]/i.test(attr)

export function MetadataTab({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const { dam } = useClient()
  const [locale] = useContentLocale()
  const definitions = useQuery({
    queryKey: ['assets', 'definitions'],
    queryFn: () => dam['attribute-definitions'].retrieve({ all: true }),
    staleTime: 60_000,
  })
  return (
    <Loaded query={definitions}>
      {(all) => {
        const mine = all
          .filter((one) => (fact(one, 'assetTypes') ?? asset.type!).split(',').includes(asset.type!))
          .map((one) => toAttribute(one, locale))
        const embedded = (asset.vals?.val ?? []).filter(({ attr = '' }) => isEmbedded(attr))
        const edited = mine.filter(({ key }) => !isEmbedded(key))
        return (
          <Stack gap="xl">
            {edited.length > 0 ? (
              <Editor key={asset.tid} asset={asset} attributes={edited} locale={locale} />
            ) : (
              <Empty icon={IconListDetails} title={t('valuesNone')}>
                {t('valuesNoneBody')}
              </Empty>
            )}
            <WrittenMetadata asset={asset} attributes={mine} />
            {embedded.length > 0 && (
              <div>
                <Title order={2} size="h4" mb={6}>
                  {t('embedded')}
                </Title>
                <Facts facts={embedded.map((val) => [val.attr!, displayTextOf(val, locale)] as const)} />
              </div>
            )}
          </Stack>
        )
      }}
    </Loaded>
  )
}

const refusals = { object: 'mayNot', attribute: 'mayNotAttribute', locale: 'mayNotLocale' } as const

interface EditorProps {
  readonly asset: AssetMessage
  readonly attributes: readonly Attribute[]
  readonly locale: string
}

function Editor({ asset, attributes, locale }: EditorProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const refusalOf = useEditRefusal('asset', 'dir', containerOf(asset))
  const byKey = useMemo(() => new Map(attributes.map((one) => [one.key, one])), [attributes])
  const draft = useMetadataDraft(asset, byKey)
  const valueOf = (key: string) => asset.vals?.val?.find(({ attr }) => attr === key)
  const field = (attribute: Attribute) => {
    const at = attribute.localized ? locale : ''
    const refusal = refusalOf(attribute.key, at)
    return (
      <ValueField
        key={attribute.key}
        attribute={attribute}
        label={attribute.label}
        texts={draft.textsAt(attribute.key, at) ?? textsOf(valueOf(attribute.key), at)}
        onChange={(value) => draft.write(attribute.key, at, value)}
        disabled={refusal !== undefined}
        {...(refusal && { title: t(refusals[refusal]) })}
      />
    )
  }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void draft.save()
        }}
      >
        <Stack gap="lg">
          {refusalOf('', '') === 'object' && (
            <Alert color="gray" py="xs">
              {t('mayNot')}
            </Alert>
          )}
          {draft.isChanged && draft.foundFrom && (
            <Alert color="amber" py="xs">
              {t('draftFrom', { date: format.dateTime(draft.foundFrom) })}
            </Alert>
          )}
          {inGroups(attributes).map(([name, members]) => (
            <Fieldset key={name} legend={t(`group-${name}`)}>
              <Stack gap="sm">{members.map(field)}</Stack>
            </Fieldset>
          ))}
          {refusalOf('', '') !== 'object' && (
            <Group className={classes.save} justify="flex-end">
              {draft.isChanged && (
                <Button variant="default" onClick={draft.discard}>
                  {t('discard')}
                </Button>
              )}
              <Button type="submit" disabled={!draft.isChanged}>
                {w('save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {draft.collisions.length > 0 && (
        <Collisions collisions={draft.collisions} attributes={byKey} onSettle={draft.settle} onClose={draft.postpone} />
      )}
      <LeaveDialog isChanged={draft.isChanged} onDiscard={draft.discard} />
    </>
  )
}
