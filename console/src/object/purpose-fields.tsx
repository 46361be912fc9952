/** The fields for the purpose of an export: the channel, medium and country that its files must be cleared for. */
import { Group, Select } from '@mantine/core'
import { usageMedia } from '@kontor/contract'
import { useLanguage, useTexts } from '../ui/language.tsx'
import { exportFormatTexts } from './export-format-texts.ts'
import { codesOf } from './locale-codes.ts'
import { PickOne } from './picker.tsx'
import { renditionTexts } from './rendition-texts.ts'

export interface Purpose {
  readonly channelTid?: string | undefined
  readonly medium?: (typeof usageMedia)[number] | undefined
  readonly territory?: string | undefined
}

/** The given fields only, as requests have them. */
export const purposeOf = ({ channelTid, medium, territory }: Purpose = {}) => ({
  ...(channelTid !== undefined && { channelTid }),
  ...(medium !== undefined && { medium }),
  ...(territory !== undefined && { territory }),
})

interface PurposeFieldsProps {
  readonly value: Purpose
  readonly onChange: (value: Purpose) => void
}

export function PurposeFields({ value, onChange }: PurposeFieldsProps) {
  const t = useTexts(exportFormatTexts)
  const r = useTexts(renditionTexts)
  const { language } = useLanguage()
  return (
    <>
      <PickOne
        kind="project"
        label={r('channelTid')}
        description={t('madeForHint')}
        value={value.channelTid}
        onChange={(channelTid) => onChange({ ...value, channelTid })}
      />
      <Group grow align="flex-start">
        <Select
          label={r('medium')}
          clearable
          data={usageMedia.map((medium) => ({ value: medium, label: r(medium) }))}
          value={value.medium ?? null}
          onChange={(medium) => onChange({ ...value, medium: medium ?? undefined })}
        />
        <Select
          label={r('territory')}
          clearable
          searchable
          data={codesOf('region', language)}
          value={value.territory ?? null}
          onChange={(territory) => onChange({ ...value, territory: territory ?? undefined })}
        />
      </Group>
    </>
  )
}
