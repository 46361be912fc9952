/** Beside a download button: the same files with metadata. */
import { ActionIcon, Menu } from '@mantine/core'
import type { metadataChoices } from '@kontor/contract'
import { IconChevronDown } from '@tabler/icons-react'
import { useTexts } from '../ui/language.tsx'
import { metadataTexts } from './metadata-texts.ts'

export type Metadata = (typeof metadataChoices)[number]

interface DownloadMenuProps {
  readonly isMany: boolean
  readonly size?: 'sm' | 'lg'
  readonly onChoose: (metadata: Metadata) => void
}

export function DownloadMenu({ size = 'lg', ...items }: DownloadMenuProps) {
  const t = useTexts(metadataTexts)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon
          variant={size === 'sm' ? 'subtle' : 'default'}
          size={size === 'sm' ? 26 : 36}
          aria-label={t('more')}
        >
          <IconChevronDown size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MetadataItems {...items} />
      </Menu.Dropdown>
    </Menu>
  )
}

export function MetadataItems({ isMany, onChoose }: Omit<DownloadMenuProps, 'size'>) {
  const t = useTexts(metadataTexts)
  return (
    <>
      <Menu.Item onClick={() => onChoose('embed')}>{t('embed')}</Menu.Item>
      <Menu.Item onClick={() => onChoose('sidecar')}>{t(isMany ? 'sidecars' : 'sidecar')}</Menu.Item>
    </>
  )
}
