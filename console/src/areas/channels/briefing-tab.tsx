/** The briefing of a channel: its pages in the chosen language, the files of the channel, and a form to write it. */
import { Anchor, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconLayout2, IconPaperclip, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AssetPicker } from '../../object/asset-picker.tsx'
import { useContentLocales } from '../../object/locales.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { BriefingForm } from './briefing-form.tsx'
import { briefingTexts } from './briefing-texts.ts'
import { type Briefing, toSheets, useBriefings } from './briefing.ts'
import { allows, type Channel } from './channels.ts'
import { assetsOf, useContentChanges } from './contents.ts'
import { SheetView } from './sheet-view.tsx'

export function BriefingTab({ channel }: { channel: Channel }) {
  const t = useTexts(briefingTexts)
  const [, change] = useUrlState()
  const { query, configs, config, shown, hasOthers } = useBriefings(channel.tid ?? '')
  const [isWriting, setWriting] = useState(false)
  const write = allows(channel, 'update') && (
    <Button
      variant={shown ? 'default' : 'filled'}
      leftSection={<IconPencil size={16} />}
      onClick={() => setWriting(true)}
    >
      {t(shown ? 'editBriefing' : 'write')}
    </Button>
  )
  return (
    <Loaded query={query}>
      {() => (
        <Stack gap="lg">
          {(shown || configs.length > 1) && (
            <Group justify="space-between" align="flex-end">
              {configs.length > 1 ? (
                <Select
                  label={t('config')}
                  data={configs.map((one) => ({ value: one, label: one || t('noConfig') }))}
                  value={config}
                  allowDeselect={false}
                  onChange={(chosen) => change({ briefing: chosen ?? undefined }, true)}
                  miw={320}
                />
              ) : (
                <Stamp briefing={shown!} />
              )}
              {shown && write}
            </Group>
          )}
          {shown ? (
            toSheets(shown).map((sheet, i) => <SheetView key={sheet.key} sheet={sheet} number={i + 1} />)
          ) : (
            <Empty icon={IconLayout2} title={t('noBriefing')} action={write}>
              {t(hasOthers ? 'noBriefingHere' : 'noBriefingBody')}
            </Empty>
          )}
          <Files channel={channel} />
          {isWriting && (
            <BriefingForm channel={channel} config={config} briefing={shown} onClose={() => setWriting(false)} />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function Stamp({ briefing: { locale, modifiedAt = '', modifiedBy = '' } }: { readonly briefing: Briefing }) {
  const t = useTexts(briefingTexts)
  const format = useFormat()
  const locales = useContentLocales()
  const name = locale === undefined ? t('allLocales') : (locales.find(({ tid }) => tid === locale)?.name ?? locale)
  return (
    <Text size="sm" c="dimmed">
      {t('briefingFor', { locale: name })} · {t('changed', { when: format.ago(modifiedAt), user: modifiedBy })}
    </Text>
  )
}

/** The files of the channel: the same as on its contents. */
function Files({ channel }: { readonly channel: Channel }) {
  const t = useTexts(briefingTexts)
  const [isPicking, setPicking] = useState(false)
  const { addAssets } = useContentChanges(channel)
  const files = assetsOf(channel)
  return (
    <section aria-label={t('files')}>
      <Group justify="space-between" mb="xs">
        <Title order={3}>{t('files')}</Title>
        {allows(channel, 'link') && (
          <Button variant="default" leftSection={<IconPaperclip size={16} />} onClick={() => setPicking(true)}>
            {t('addFiles')}
          </Button>
        )}
      </Group>
      {files.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noFiles')}
        </Text>
      )}
      {files.slice(0, 50).map(({ tid, path }) => (
        <div key={tid}>
          <Anchor size="sm" renderRoot={(props) => <Link to="/assets/$tid" params={{ tid }} {...props} />}>
            {path.slice(path.lastIndexOf('/') + 1)}
          </Anchor>
        </div>
      ))}
      {isPicking && <AssetPicker onClose={() => setPicking(false)} onChoose={(tids) => void addAssets(tids)} />}
    </section>
  )
}
