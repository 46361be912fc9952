/** The layout and notation of the file: where its table begins, and how it writes numbers, dates and lists. */
import { Accordion, Autocomplete, NumberInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core'
import { transferEncodings } from '@kontor/contract'
import { PickOne } from '../../../object/picker.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { CommittedInput } from './committed-input.tsx'
import { withConstant } from './constants.ts'
import { texts } from './texts.ts'
import type { Profile } from './use-mapping.ts'

interface SettingsProps {
  readonly profile: Profile
  readonly sheets: readonly string[]
  readonly onChange: (profile: Profile) => void
}

const dateFormats = ['DD.MM.YYYY', 'D.M.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'M/D/YYYY', 'YYYY/MM/DD', 'YYYYMMDD']

/** The profile with a value, or without one. */
function withValue<K extends keyof Profile>(profile: Profile, key: K, value: Profile[K] | undefined | null): Profile {
  const { [key]: _, ...others } = profile
  return value === undefined || value === null || value === '' ? others : { ...others, [key]: value }
}

export function Settings(props: SettingsProps) {
  const t = useTexts(texts)
  return (
    <Accordion variant="contained">
      <Accordion.Item value="settings">
        <Accordion.Control>{t('settings')}</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            <LayoutFields {...props} />
            <NotationFields {...props} />
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function LayoutFields({ profile, sheets, onChange }: SettingsProps) {
  const t = useTexts(texts)
  const set = <K extends keyof Profile>(key: K, value: Profile[K] | undefined | null) =>
    onChange(withValue(profile, key, value))
  const isWorkbook = sheets.length > 0
  return (
    <>
      <PickOne
        kind="category"
        label={t('allCategory')}
        description={t('allCategoryHint')}
        value={profile.constants?.['node']}
        onChange={(path = '') => onChange(withConstant(profile, 'node', path))}
      />
      <PickOne
        kind="folder"
        label={t('mediaPath')}
        description={t('mediaPathHint')}
        placeholder="/MAM/Import"
        value={profile.mediaPath}
        onChange={(path) => set('mediaPath', path)}
      />
      <NumberInput
        label={t('headerRow')}
        description={t('headerRowHint')}
        min={1}
        max={1000}
        value={profile.headerRow ?? 1}
        onChange={(value) => typeof value === 'number' && set('headerRow', value === 1 ? undefined : value)}
      />
      {isWorkbook && (
        <Select
          label={t('sheet')}
          data={[...sheets]}
          value={profile.sheet ?? sheets[0] ?? null}
          allowDeselect={false}
          onChange={(value) => set('sheet', value === sheets[0] ? undefined : value)}
        />
      )}
      {!isWorkbook && (
        <Select
          label={t('delimiter')}
          placeholder={t('detected')}
          data={[
            { value: ';', label: t('semicolon') },
            { value: ',', label: t('comma') },
            { value: '\t', label: t('tab') },
            { value: '|', label: t('bar') },
          ]}
          value={profile.delimiter ?? null}
          clearable
          onChange={(value) => set('delimiter', value)}
        />
      )}
      {!isWorkbook && (
        <Select
          label={t('encoding')}
          placeholder={t('detected')}
          data={[...transferEncodings]}
          value={profile.encoding ?? null}
          clearable
          onChange={(value) => set('encoding', value as Profile['encoding'])}
        />
      )}
    </>
  )
}

function NotationFields({ profile, onChange }: SettingsProps) {
  const t = useTexts(texts)
  const set = <K extends keyof Profile>(key: K, value: Profile[K] | undefined | null) =>
    onChange(withValue(profile, key, value))
  return (
    <>
      <Select
        label={t('decimal')}
        data={[
          { value: '.', label: t('point') },
          { value: ',', label: t('comma') },
        ]}
        value={profile.decimal ?? '.'}
        allowDeselect={false}
        onChange={(value) => set('decimal', value === '.' ? undefined : (value as ','))}
      />
      <Select
        label={t('thousands')}
        placeholder={t('none')}
        data={[
          { value: '.', label: t('point') },
          { value: ',', label: t('comma') },
          { value: ' ', label: t('space') },
          { value: "'", label: t('apostrophe') },
        ]}
        value={profile.thousands ?? null}
        clearable
        onChange={(value) => set('thousands', value as Profile['thousands'])}
      />
      <CommittedInput
        input={(props) => <Autocomplete label={t('dateFormat')} placeholder="2026-03-31" data={dateFormats} {...props} />} // prettier-ignore
        value={profile.dateFormat ?? ''}
        onCommit={(value) => set('dateFormat', value)}
      />
      <TagsInput
        label={t('trueWords')}
        value={profile.trueWords ?? []}
        onChange={(words) => set('trueWords', words.length === 0 ? undefined : words)}
      />
      <TagsInput
        label={t('falseWords')}
        value={profile.falseWords ?? []}
        onChange={(words) => set('falseWords', words.length === 0 ? undefined : words)}
      />
      <CommittedInput
        input={
          ({ onChange: change, ...props }) =>
                <TextInput label={t('separator')} placeholder="|" onChange={(event) => change(event.currentTarget.value)} {...props} /> // prettier-ignore
        }
        value={profile.separator ?? ''}
        onCommit={(value) => set('separator', value)}
      />
      <Switch
        mt="xl"
        label={t('trim')}
        checked={profile.trim ?? false}
        onChange={(event) => set('trim', event.currentTarget.checked || undefined)}
      />
      <Switch
        mt="xl"
        label={t('emptyClears')}
        checked={profile.emptyClears ?? false}
        onChange={(event) => set('emptyClears', event.currentTarget.checked || undefined)}
      />
      <Switch
        mt="xl"
        label={t('keepsApostrophes')}
        checked={profile.formulas === 'keep'}
        onChange={(event) => set('formulas', event.currentTarget.checked ? 'keep' : undefined)}
      />
    </>
  )
}
