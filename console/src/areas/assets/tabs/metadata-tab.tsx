/** The metadata of an asset: attribute values to edit, and the metadata embedded in the file. */
import { Button, Stack, Title } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMay } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { useContentLocale } from '../../../object/locales.ts'
import { accepted } from '../../../object/records.ts'
import { type Attribute, toAttribute } from '../../../object/values/attribute.ts'
import { displayTextOf, type Texts, textsOf, toVal } from '../../../object/values/draft.ts'
import { ValueField } from '../../../object/values/value-field.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { type AssetMessage, useRefresh } from '../assets.ts'
import { texts } from '../detail-texts.ts'
import { Facts } from './facts.tsx'

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
              <Editor key={`${asset.tid} ${locale}`} asset={asset} attributes={edited} locale={locale} />
            ) : (
              <Empty icon={IconListDetails} title={t('valuesNone')}>
                {t('valuesNoneBody')}
              </Empty>
            )}
            {embedded.length > 0 && (
              <div>
                <Title order={3} mb={6}>
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

function Editor({
  asset,
  attributes,
  locale,
}: {
  asset: AssetMessage
  attributes: readonly Attribute[]
  locale: string
}) {
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const may = useMay()
  const refresh = useRefresh()
  const [changed, setChanged] = useState<ReadonlyMap<string, Texts>>(new Map())
  const localeOf = (attribute: Attribute) => (attribute.localized ? locale : '')
  const save = async () => {
    const val = attributes
      .filter(({ key }) => changed.has(key))
      .map((attribute) => toVal(attribute, new Map([[localeOf(attribute), changed.get(attribute.key)!]])))
    try {
      await accepted(dam.assets.persist([{ tid: asset.tid!, vals: { val } }]))
      setChanged(new Map())
      notifyDone(w('saved'))
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    refresh()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack gap="sm">
        {attributes.map((attribute) => (
          <ValueField
            key={attribute.key}
            attribute={attribute}
            label={attribute.label}
            texts={
              changed.get(attribute.key) ??
              textsOf(
                asset.vals?.val?.find(({ attr }) => attr === attribute.key),
                localeOf(attribute),
              )
            }
            onChange={(value) => setChanged(new Map(changed).set(attribute.key, value))}
            disabled={!may('update', 'asset')}
          />
        ))}
        <Button type="submit" disabled={changed.size === 0}>
          {w('save')}
        </Button>
      </Stack>
    </form>
  )
}
