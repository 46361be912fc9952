/** Recently edited products. */
import { Text } from '@mantine/core'
import type { Infer, ProductRow } from '@kontor/contract'
import { Link } from '@tanstack/react-router'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

export function Recent({ rows }: { rows: readonly Infer<typeof ProductRow>[] | undefined }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const format = useFormat()
  const pictures = usePictures([rows?.flatMap(({ picture }) => picture ?? []) ?? []])
  return (
    <Panel title={t('recent')} to="/products">
      {!rows ? <Loading /> : rows.length === 0 && <Text c="dimmed">{t('noRecent')}</Text>}
      {rows?.map(({ tid = '', name, picture, modifiedAt = '', modifiedBy }) => (
        <Link key={tid} to="/products/$tid" params={{ tid }} className={classes.row}>
          <Thumbnail picture={picture ? pictures.get(picture) : undefined} />
          <Text size="sm" fw={550} truncate flex={1}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {format.ago(modifiedAt)} {word('by')} {modifiedBy}
          </Text>
        </Link>
      ))}
    </Panel>
  )
}
