/** Information about the file in the viewer: its description and rights, the file, its keywords. */
import { Stack, Title } from '@mantine/core'
import { useAssetAttributes } from '../../object/model.ts'
import { useContentLocale } from '../../object/locales.ts'
import { displayTextOf } from '../../object/values/draft.ts'
import { useUnitText } from '../../object/values/reader-units.ts'
import { useTexts } from '../../ui/language.tsx'
import type { AssetMessage } from './assets.ts'
import { inGroups } from './attribute-groups.ts'
import { Facts } from './tabs/facts.tsx'
import { FileFacts } from './tabs/overview-tab.tsx'
import { texts as detailTexts } from './detail-texts.ts'
import { texts } from './texts.ts'
import classes from './lightbox.module.css'

export function InfoPanel({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const d = useTexts(detailTexts)
  const [locale] = useContentLocale()
  const attributes = useAssetAttributes()
  const unitText = useUnitText()
  const values = (asset.vals?.val ?? []).flatMap((val) => {
    const { attr: key = '' } = val
    const attribute = attributes.get(key)
    const text = unitText(displayTextOf(val, locale), attribute?.units)
    return text ? [{ key, label: attribute?.label ?? key, text }] : []
  })
  return (
    // focusable, so that it can be scrolled with the keyboard
    <aside className={classes.info} aria-label={t('info')} tabIndex={0}>
      <Stack gap="lg">
        <div>
          <Title order={2} size="h4" mb={6}>
            {d('file')}
          </Title>
          <FileFacts asset={asset} />
        </div>
        {inGroups(values).map(([name, members]) => (
          <div key={name}>
            <Title order={2} size="h4" mb={6}>
              {d(`group-${name}`)}
            </Title>
            <Facts facts={members.map(({ label, text }) => [label, text] as const)} />
          </div>
        ))}
      </Stack>
    </aside>
  )
}
